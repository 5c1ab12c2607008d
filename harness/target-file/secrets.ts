/** Keeps keys out of files and messages: what a key looks like, and which keys may go into a header. */
import { describeValue } from '../schema/describe-value.ts'

/** Properties that can only be meant to hold a secret. */
const SECRET_NAME =
  /^(?:x-?)?(?:api[-_]?key|key|secret|secret[-_]?key|token|access[-_]?token|password|passwd|passphrase|authorization|bearer|credential|value)$/i
/** The same, in places where words such as `key` and `value` are ordinary. */
const UNMISTAKABLE_SECRET_NAME =
  /^(?:x-?)?(?:api[-_]?key|secret|secret[-_]?key|access[-_]?token|password|passwd|passphrase|authorization)$/i

const SECRET_LENGTH_MIN = 16
const KNOWN_PREFIX = /^(?:sk|pk|rk|live|test|ghp|gho|xox[abp]|key|bearer)[-_]/i

export function isSecretName(name: string, strictly: boolean): boolean {
  return (strictly ? SECRET_NAME : UNMISTAKABLE_SECRET_NAME).test(name)
}

/** Whether a text could be a key rather than a word or the name of a variable. Errs on the side of yes. */
export function looksLikeSecret(text: string): boolean {
  if (text.length < SECRET_LENGTH_MIN || /\s|:\/\/|^[/${]/.test(text)) return false
  if (!/\d/.test(text)) return KNOWN_PREFIX.test(text)
  return /[a-z]/.test(text) || !text.includes('_')
}

/** All that may be told of a text that could be a key. */
export function measure(text: string): string {
  return `a text of ${text.length} characters (not shown: it could be a key)`
}

/** `describeValue`, except that a text which could be a key is only measured. */
export function describeSafely(value: unknown): string {
  if (typeof value === 'string' && looksLikeSecret(value)) return measure(value)
  return describeValue(value)
}

/** A name in quotes, unless it could be a key. */
export function quoteSafely(name: string): string {
  return looksLikeSecret(name) ? describeSafely(name) : JSON.stringify(name.slice(0, 80))
}

/** Why a key cannot be sent as a header, without showing it; undefined when it can. */
export function keyProblem(key: string): string | undefined {
  if (/[\r\n]/.test(key)) return 'holds a line break'
  if (/\s/.test(key)) return 'holds white space'
  if (/^(["'`]).*\1$/.test(key)) return 'stands in quotes'
  if (!/^[\x21-\x7e]+$/.test(key)) return 'holds a character that is not printable ASCII'
  return undefined
}
