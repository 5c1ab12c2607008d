/** What support is sent: everything that verify saw, without a secret, in one archive. */
import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { usageError } from '../errors.ts'
import { evidenceOf } from '../record/evidence.ts'
import type { Redactor } from '../record/redact.ts'
import { describeOrigins } from '../target-file/describe.ts'
import type { Target } from '../target-file/target.ts'
import { renderVerification } from './render.ts'
import type { Verified } from './verify.ts'

export type BundleFile = { readonly name: string; readonly what: string; readonly text: string }

export type BundleOptions = {
  readonly target: Target
  readonly redactor: Redactor
  readonly env: NodeJS.ProcessEnv
  readonly harnessVersion: string
}

const VARIABLE_OF_OURS = /^(?:ORDERING_|NODE_|SSL_CERT_|https?_proxy$|no_proxy$)/i

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

export function bundleFiles(seen: Verified, options: BundleOptions): BundleFile[] {
  const { target, redactor, env, harnessVersion } = options
  for (const { json } of seen.exchanges) redactor.learn(json)
  const { exchanges, ...told } = seen
  const machine = {
    harness: harnessVersion,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    variables: Object.keys(env).filter((name) => VARIABLE_OF_OURS.test(name)),
  }
  return [
    {
      name: 'verify.txt',
      what: 'what the terminal showed',
      text: redactor.text(renderVerification(seen, false)),
    },
    { name: 'verify.json', what: 'the same as data', text: json(redactor.data(told)) },
    {
      name: 'exchanges.json',
      what: `${exchanges.length} requests with their answers, keys and codes redacted, bodies cut at 4,000 characters`,
      text: json(exchanges.map((each) => evidenceOf(each, redactor))),
    },
    {
      name: 'target.txt',
      what: 'every value of the target with where it came from; keys as names of variables',
      text: `${redactor.text(describeOrigins(target))}\n`,
    },
    {
      name: 'machine.json',
      what: 'versions, platform, and names (no values) of the variables that count',
      text: json(machine),
    },
  ]
}

export function contentsText(files: readonly BundleFile[], path: string): string {
  const lines = files.map(
    ({ name, what, text }) => `  ${name.padEnd(15)} ${Buffer.byteLength(text)} bytes: ${what}`,
  )
  return [`${path} will hold:`, ...lines, ''].join('\n')
}

/** Throws E_USAGE where the file is there already or cannot be written. */
export async function writeBundle(path: string, files: readonly BundleFile[]): Promise<void> {
  const blocks = files.flatMap(({ name, text }) => entry(name, Buffer.from(text)))
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]))
  try {
    await writeFile(path, archive, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    throw usageError(
      `the bundle could not be written to ${path}: ${(cause as Error).message}`,
      'Name a file that is not there yet, in a directory that can be written to.',
      { cause },
    )
  }
}

const BLOCK = 512

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

/** One file of a tar archive (POSIX ustar). */
function entry(name: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(BLOCK)
  header.write(`ordering-harness-verify/${name}`, 0)
  header.write(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100)
  header.write(`${octal(content.length, 11)}\0${octal(0, 11)}\0`, 124)
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]
}
