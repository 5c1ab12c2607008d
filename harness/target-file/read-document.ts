/** Reads the text of a target file, and of those that it extends. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { extended, placed, type PlacedDocument } from './extending.ts'
import { JsonSyntaxError, readJson } from './json-document.ts'
import { didYouMean } from '../nearest.ts'
import type { TargetProblem } from './problems.ts'

const BYTES_MAX = 256 * 1024

class Unreadable extends Error {
  readonly fix: string

  constructor(message: string, fix: string) {
    super(message)
    this.fix = fix
  }
}

function whyNotRead(file: string, error: unknown): Unreadable {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT') return new Unreadable('there is no such file.', similarFile(file))
  if (code === 'EISDIR') return new Unreadable('this is a directory.', 'Name the file in it.')
  if (code === 'EACCES')
    return new Unreadable('this process may not read it.', 'Change its permissions.')
  return new Unreadable(`it cannot be read (${code ?? 'unknown reason'}).`, 'Check the path.')
}

function similarFile(file: string): string {
  try {
    const siblings = readdirSync(path.dirname(file)).filter((name) => name.endsWith('.json'))
    return didYouMean(
      path.basename(file),
      siblings,
      'Check the path; it is taken from the working directory.',
    )
  } catch {
    // The folder is missing too: nothing to propose.
    return 'Check the path: its folder does not exist either.'
  }
}

function readText(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw whyNotRead(file, error)
  }
  if (bytes.length > BYTES_MAX)
    throw new Unreadable(
      `it has ${bytes.length} bytes; a target file has at most ${BYTES_MAX}.`,
      'Name the right file.',
    )
  return decode(bytes)
}

function decode(bytes: Buffer): string {
  const saveAgain = 'Save it as UTF-8 without a byte order mark.'
  const start = bytes.subarray(0, 3).toString('hex')
  if (start === 'efbbbf')
    throw new Unreadable('it starts with a byte order mark, which JSON does not allow.', saveAgain)
  if (start.startsWith('fffe') || start.startsWith('feff'))
    throw new Unreadable('it is encoded in UTF-16; JSON is UTF-8.', saveAgain)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.trim() === '')
      throw new Unreadable('it is empty.', 'Start from targets/sample.target.json.')
    return text
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable('it holds bytes that are not UTF-8.', saveAgain)
  }
}

/** Files that stand behind one another; more is a mistake. */
const EXTENDED_MAX = 5

/** Why one of the files cannot be read. */
export class Unread extends Error {
  readonly problem: TargetProblem

  constructor(name: string, error: Unreadable | JsonSyntaxError) {
    super(error.message)
    const isSyntax = error instanceof JsonSyntaxError
    this.problem = {
      code: 'E_TARGET_FILE_UNREADABLE',
      place: isSyntax ? `${name}:${error.place}` : name,
      message: isSyntax ? `not JSON: ${error.message}.` : error.message,
      fix: error.fix,
    }
  }
}

/** The document of a file, over those that it extends; `behind` are the files that extend it. */
export function readDocument(
  name: string,
  cwd: string,
  behind: readonly string[] = [],
): PlacedDocument {
  const file = path.resolve(cwd, name)
  try {
    if (behind.includes(file))
      throw new Unreadable('it extends itself.', 'Remove "extends" from one of the files.')
    if (behind.length >= EXTENDED_MAX)
      throw new Unreadable(
        `more than ${EXTENDED_MAX} files extend one another.`,
        'Join some of them.',
      )
    const own = placed(name, readJson(readText(file)))
    const { extends: base } = (own.value ?? {}) as { extends?: unknown }
    if (typeof base !== 'string' || base === '') return own
    const named = path.isAbsolute(base) ? base : path.join(path.dirname(name), base)
    return extended(readDocument(named, cwd, [...behind, file]), own)
  } catch (error) {
    if (error instanceof Unreadable || error instanceof JsonSyntaxError)
      throw new Unread(name, error)
    throw error
  }
}
