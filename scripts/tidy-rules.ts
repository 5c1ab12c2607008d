type Rule = {
  readonly applies: (file: string) => boolean
  readonly pattern: RegExp
  readonly complaint: string
}

const isSource = (file: string): boolean =>
  file.endsWith('.ts') && !file.startsWith('schemas/generated/')
/** The rules themselves, and their test, name what they forbid. */
const isOwn = (file: string): boolean => file.startsWith('scripts/tidy')
const isTest = (file: string): boolean => file.endsWith('.test.ts') && !isOwn(file)

const RULES: readonly Rule[] = [
  {
    applies: isTest,
    pattern: /\b(?:it|test|describe)\.(?:only|todo)\b/,
    complaint: 'a focused or unwritten test: write it or remove it',
  },
  {
    applies: isTest,
    pattern: /\bretry:\s*[1-9]/,
    complaint: 'a retry hides a flake: find its cause',
  },
  {
    applies: (file) => isSource(file) && !isOwn(file),
    pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/,
    complaint: 'an unfinished thought: finish it or open an issue',
  },
  {
    applies: (file) => !isOwn(file),
    pattern: /(?:^|[\s"'`(=])\/(?:home|root|work|Users)\/[\w.-]+/,
    complaint: 'a path of one machine',
  },
  {
    applies: (file) => file.endsWith('package-lock.json'),
    pattern: /"resolved": *"https?:/,
    complaint: 'a download address in the lock file (see .npmrc)',
  },
  {
    applies: (file) => isSource(file) && !isOwn(file),
    pattern: /(?:oxlint|eslint)-disable(?!.*--\s*\S)/,
    complaint: 'a disabled rule without a reason (-- why)',
  },
]

const LINES_MAX = 450
const BYTES_MAX = 256_000

/** What is wrong with a file, as `file:line: complaint`. */
export function complaintsAbout(file: string, text: string): string[] {
  const complaints: string[] = []
  const lines = text.split('\n')
  for (const [index, line] of lines.entries())
    for (const { applies, pattern, complaint } of RULES)
      if (applies(file) && pattern.test(line)) complaints.push(`${file}:${index + 1}: ${complaint}`)
  if (isSource(file) && lines.length > LINES_MAX)
    complaints.push(`${file}: ${lines.length} lines; look for a seam (at most ${LINES_MAX})`)
  if (
    text.length > BYTES_MAX &&
    !file.endsWith('package-lock.json') &&
    !file.startsWith('reports/samples/')
  )
    complaints.push(`${file}: ${text.length} bytes; data of that size does not belong here`)
  return complaints
}
