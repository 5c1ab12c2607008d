/** Which fields hold goods or credentials, by their names. */
import { RESULT_MEMBERS } from '../../contract/wire.ts'
import { isContainer } from '../objects.ts'

/** Interface: Voucher, EsimActivation, quotes, keys; and what credentials are called elsewhere. Without case and separators. */
const SECRET_FIELDS = new Set([
  'pin',
  'serialnumber',
  'vouchercode',
  'redeemcode',
  'qrcodetext',
  'iccid',
  'activationcode',
  'iosinstallurl',
  'androidinstallurl',
  'quotetoken',
  'xapikey',
  'apikey',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'secret',
  'clientsecret',
  'secretkey',
  'privatekey',
  'password',
  'token',
  'accesstoken',
  'refreshtoken',
])

/** Clear characters that a masked value may show. */
const CLEAR_CHARACTERS_MAX = 4

/** Longer names are none of those above. */
export const NAME_LENGTH_MAX = 24

/** A longer value is no mask. */
const MASK_LENGTH_MAX = 256

/** Every answer has the same few names. Those of a hostile answer are not kept without end. */
const known = new Map<string, boolean>()
const KNOWN_MAX = 5_000

export function isSecretField(name: string): boolean {
  if (name.length > NAME_LENGTH_MAX) return false
  const answer = known.get(name)
  if (answer !== undefined) return answer
  if (known.size >= KNOWN_MAX) known.clear()
  const isSecret = SECRET_FIELDS.has(name.toLowerCase().replaceAll('-', '').replaceAll('_', ''))
  known.set(name, isSecret)
  return isSecret
}

/** `****1234` protects its value already, and is evidence; `1234` alone is a short code in clear. */
export function isMasked(value: string): boolean {
  if (value === '') return true
  if (value.length > MASK_LENGTH_MAX) return false
  const clear = value.replaceAll(/[*•xX#\s-]/g, '')
  return /[*•#]|xx/i.test(value) && clear.length <= CLEAR_CHARACTERS_MAX
}

/** Texts of a raw eSIM payload that are long enough to be an activation: its field names are the supplier's own. */
const PAYLOAD_TEXT_LENGTH_MIN = 12

/** How an eSIM activation code begins as GSMA writes it, wherever it stands. */
const ACTIVATION = 'LPA:'

type Part = { readonly name: string; readonly value: object; readonly isPayload: boolean }

type Secret = { readonly name: string; readonly value: string }

/** The values of secret fields in a JSON message, without recursion: an answer may be nested deeper than the stack. */
export function secretsIn(json: unknown): Secret[] {
  const found: Secret[] = []
  const rest: Part[] = []
  /** The elements of a list are named as the list is. */
  const look = (name: string, value: unknown, isInPayload: boolean): void => {
    if (!isContainer(value)) {
      if (isSecretValue(name, value, isInPayload) && !isMasked(String(value)))
        found.push({ name, value: String(value) })
    } else {
      const isPayload = isInPayload || name === 'esim' || isRawResult(name, value)
      rest.push({ name, value, isPayload })
    }
  }
  look('', json, false)
  for (let part = rest.pop(); part; part = rest.pop()) {
    const { name, value, isPayload } = part
    if (Array.isArray(value)) for (const each of value as unknown[]) look(name, each, isPayload)
    else {
      const members = value as Readonly<Record<string, unknown>>
      for (const member of Object.keys(members)) look(member, members[member], isPayload)
    }
  }
  return found
}

function isSecretValue(name: string, value: unknown, isInPayload: boolean): boolean {
  if (typeof value === 'number') return isSecretField(name)
  if (typeof value !== 'string') return false
  if (isSecretField(name) || isActivation(value)) return true
  return isInPayload && value.length >= PAYLOAD_TEXT_LENGTH_MIN
}

function isActivation(value: string): boolean {
  return value.slice(0, ACTIVATION.length).toUpperCase() === ACTIVATION
}

/** A result without any of its members is a supplier's raw payload. */
function isRawResult(name: string, value: object): boolean {
  return name === 'result' && !RESULT_MEMBERS.some((member) => member in value)
}
