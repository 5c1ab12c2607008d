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

type Needle = Leak & { readonly written: string }
type Needles = ReadonlyMap<string, readonly Needle[]>

/** Needles by their beginning: each place of a text is looked at once, however many secrets there are. */
const BEGINNING = 6

function needlesOf(
  secrets: Iterable<string>,
  where: string,
  isWanted: (form: string, written: string) => boolean,
): Needles {
  const all = [...secrets].flatMap((secret) =>
    Object.entries(formsOf(secret)).flatMap(([form, text]) => {
      const written = text.toLowerCase()
      return written.length < BEGINNING || !isWanted(form, written)
        ? []
        : [{ where, form, secret, written }]
    }),
  )
  return Map.groupBy(all, ({ written }) => written.slice(0, BEGINNING))
}

function foundIn(text: string, needles: Needles): Set<Needle> {
  const found = new Set<Needle>()
  for (let at = 0; at + BEGINNING <= text.length; at++)
    for (const needle of needles.get(text.slice(at, at + BEGINNING)) ?? [])
      if (text.startsWith(needle.written, at)) found.add(needle)
  return found
}

const isBare = (form: string, written: string): boolean =>
  form === 'without separators' && written.length >= 10

/** Secrets that stand in the text in any form, compared without case. */
export function leaksIn(where: string, text: string, secrets: Iterable<string>): Leak[] {
  const known = new Set(secrets)
  const lower = text.toLowerCase()
  const searches = [
    [lower, (form: string, written: string) => !isBare(form, written) && form !== ESCAPED_FOR_JSON],
    [lower.replace(/[^a-z0-9]/g, ''), isBare],
    [lower.replaceAll('\\', ''), (form: string) => form === ESCAPED_FOR_JSON],
  ] as const
  return searches.flatMap(([searched, isWanted]) =>
    [...foundIn(searched, needlesOf(known, where, isWanted))].map(({ form, secret }) => ({
      where,
      form,
      secret,
    })),
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
export async function leaksBelow(
  folder: string,
  secrets: ReadonlySet<string>,
  sinceMs = 0,
): Promise<Leak[]> {
  const leaks: Leak[] = []
  for (const file of await filesBelow(folder, sinceMs))
    leaks.push(...leaksIn(file, (await readFile(file)).toString('latin1'), secrets))
  return leaks
}
