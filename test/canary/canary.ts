/** Looks for secrets in bytes, by means of its own: what the redactor thinks a secret looks like must not decide here. */
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

export type Leak = { readonly where: string; readonly form: string; readonly secret: string }

/** Every way of writing it that is looked for. */
function formsOf(secret: string): Record<string, string> {
  const bytes = new TextEncoder().encode(secret)
  return {
    plain: secret,
    'without separators': secret.replace(/[^A-Za-z0-9]/g, ''),
    'URL-encoded': encodeURIComponent(secret),
    'JSON-escaped': JSON.stringify(secret).slice(1, -1),
    hexadecimal: bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), ''),
    // The last group of three bytes depends on what follows.
    base64: btoa(secret.slice(0, secret.length - (secret.length % 3))),
    'first half': secret.slice(0, Math.max(12, Math.ceil(secret.length / 2))),
    'second half': secret.slice(-Math.max(12, Math.ceil(secret.length / 2))),
    'every letter escaped for a URL': lettersOf(secret, (code) => `%${code}`),
    'every letter escaped for HTML': lettersOf(secret, (code) => `&#${Number.parseInt(code, 16)};`),
    [ESCAPED_FOR_JSON]: lettersOf(secret, (code) => `u00${code}`),
  }
}

/** The backslashes are left out: how many there are depends on how often the text was escaped. */
const ESCAPED_FOR_JSON = 'every letter escaped for JSON'

function lettersOf(secret: string, escape: (code: string) => string): string {
  return Array.from(secret, (letter) =>
    escape((letter.codePointAt(0) ?? 0).toString(16).padStart(2, '0')),
  ).join('')
}

type Needle = Omit<Leak, 'where'> & { readonly written: string }

/** Needles by their beginning: each place of a text is looked at once, however many secrets there are. */
type Needles = ReadonlyMap<string, readonly Needle[]>

/** One way of reading a text, and what is looked for in it. */
type Search = {
  readonly read: (lower: string) => string
  readonly needles: Needles
  /** By `markAt`: what no needle begins with is passed over. */
  readonly marks: Uint8Array
}

export type Searches = readonly Search[]

const BEGINNING = 6
const MARKS = 1 << 16

function markAt(text: string, at: number): number {
  const first = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)
  const second = text.charCodeAt(at + 2) * 31 + text.charCodeAt(at + 3)
  return (first * 61 + second) % MARKS
}

const isBare = ({ form, written }: Needle): boolean =>
  form === 'without separators' && written.length >= 10

const isForJson = ({ form }: Needle): boolean => form === ESCAPED_FOR_JSON

/** What is looked for, once for all texts. */
export function searchesFor(secrets: Iterable<string>): Searches {
  const all = [...new Set(secrets)]
    .flatMap((secret) =>
      Object.entries(formsOf(secret)).map(([form, text]) => ({
        form,
        secret,
        written: text.toLowerCase(),
      })),
    )
    .filter(({ written }) => written.length >= BEGINNING)
  return [
    searchOf(
      (lower) => lower,
      all.filter((each) => !isBare(each) && !isForJson(each)),
    ),
    searchOf((lower) => lower.replace(/[^a-z0-9]/g, ''), all.filter(isBare)),
    searchOf((lower) => lower.replaceAll('\\', ''), all.filter(isForJson)),
  ]
}

function searchOf(read: Search['read'], wanted: readonly Needle[]): Search {
  const needles = Map.groupBy(wanted, ({ written }) => written.slice(0, BEGINNING))
  const marks = new Uint8Array(MARKS)
  for (const beginning of needles.keys()) marks[markAt(beginning, 0)] = 1
  return { read, needles, marks }
}

function foundIn(text: string, { needles, marks }: Search): Set<Needle> {
  const found = new Set<Needle>()
  for (let at = 0; at + BEGINNING <= text.length; at++) {
    if (marks[markAt(text, at)] === 0) continue
    for (const needle of needles.get(text.slice(at, at + BEGINNING)) ?? [])
      if (text.startsWith(needle.written, at)) found.add(needle)
  }
  return found
}

/** Secrets that stand in the text in any form, compared without case. */
export function leaksIn(where: string, text: string, searches: Searches): Leak[] {
  const lower = text.toLowerCase()
  return searches.flatMap((search) =>
    [...foundIn(search.read(lower), search)].map(({ form, secret }) => ({ where, form, secret })),
  )
}

/** All files below a folder that were changed since. */
export async function filesBelow(folder: string, sinceMs = 0): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files: string[] = []
  for (const name of names) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => undefined)
    if (found?.isFile() && found.mtimeMs >= sinceMs) files.push(file)
  }
  return files
}

/** Leaks in every byte of every file below a folder. */
export async function leaksBelow(folder: string, searches: Searches, sinceMs = 0): Promise<Leak[]> {
  const leaks: Leak[] = []
  for (const file of await filesBelow(folder, sinceMs))
    leaks.push(...leaksIn(file, (await readFile(file)).toString('latin1'), searches))
  return leaks
}
