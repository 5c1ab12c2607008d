import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { parseCapacityOptions } from '../../harness/capacity/options.ts'
import { ERROR_CODES } from '../../harness/errors.ts'
import { parseRunOptions } from '../../harness/gate/options.ts'
import { parseClusterOptions } from '../../harness/k8s/options.ts'
import { targetFileErrors } from '../../harness/schema/validate.ts'
import { brokenRules } from '../../harness/target-file/rules.ts'
import type { TargetFile } from '../../schemas/generated/target.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Written by commands. */
const GENERATED = ['docs/faults.md', 'docs/load-faults.md']
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'targets/README.md',
  'reports/README.md',
  'load/README.md',
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].filter((page) => !GENERATED.includes(page))

const WORDS_MAX = 25
const textOf = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8')

/** Sentences of running text: no code, no tables, no headings. */
function sentencesOf(page: string): string[] {
  return textOf(page)
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/^ *\|.*$/gm, '')
    .replaceAll(/^#.*$/gm, '')
    .replaceAll(/`[^`]*`/g, 'Code')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(?:[-*]|\d+\.)\s+/gm, '\n\n')
    .split(/\n\s*\n|(?<=[.!?:])\*{0,2}\s+(?=[A-Z*"])/)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '')
}

/** Phrases that have to be read twice. */
const AVOID = /\b(?:(?:is|are|was|were) told|None where|of which)\b/

describe.each(PAGES)('%s', (page) => {
  test('has no sentence that must be read twice', () => {
    const long = sentencesOf(page).filter((sentence) => sentence.split(' ').length > WORDS_MAX)
    expect(long).toEqual([])
    expect(sentencesOf(page).filter((sentence) => AVOID.test(sentence))).toEqual([])
  })

  test('links to what is there', () => {
    const links = textOf(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)
    const local = [...links].flatMap(([, link = '']) => (/^https?:/.test(link) ? [] : [link]))
    const missing = local.filter((link) => !existsSync(path.join(ROOT, path.dirname(page), link)))
    expect(missing).toEqual([])
  })

  test('names files that exist', () => {
    const named = [...textOf(page).matchAll(/`([\w.-]+\/[\w./-]+\.ts)`/g)].map(
      ([, file = '']) => file,
    )
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
  })

  test('names commands that exist', () => {
    const named = [...textOf(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '')
    expect(named.filter((name) => name !== 'NAME' && !(name in packageJson.scripts))).toEqual([])
  })
})

/** `npm run NAME -- …` and `ordering-harness NAME …`, also where a line goes on in the next. */
const COMMAND =
  /(?:npm run (?<script>[\w:-]+)(?: --(?= ))?|ordering-harness (?<sub>[a-z]+))(?<rest>[^\n`|#&;)]*)/g

/** Each command line of a page: the command and what follows it. */
function commandsIn(page: string): { readonly command: string; readonly rest: string }[] {
  const lines = textOf(page).replaceAll(/\\\n\s*/g, ' ')
  return [...lines.matchAll(COMMAND)].map(({ groups }) => ({
    command: groups?.['script'] ?? groups?.['sub'] ?? '',
    rest: groups?.['rest'] ?? '',
  }))
}

function optionsIn(page: string): { readonly command: string; readonly option: string }[] {
  return commandsIn(page).flatMap(({ command, rest }) =>
    (rest.match(/(?<=\s)--[a-z][\w-]*/g) ?? []).map((option) => ({ command, option })),
  )
}

const PARSERS: Readonly<Record<string, (argv: readonly string[]) => unknown>> = {
  gate: (argv) => parseRunOptions('gate', argv),
  conformance: (argv) => parseRunOptions('conformance', argv),
  load: (argv) => parseRunOptions('load', argv),
  capacity: parseCapacityOptions,
  'load:k8s': parseClusterOptions,
}

/** Words of a command line of a page; a number stands for the placeholder N. */
const wordsOf = (rest: string): string[] =>
  (rest.match(/'[^']*'|\S+/g) ?? []).map((word) =>
    word === 'N' ? '4' : word.replaceAll(/^'|'$|[.,:]$/g, ''),
  )

test('the commands understand the command lines of the pages', () => {
  const runs = PAGES.flatMap((page) => commandsIn(page).map((each) => ({ page, ...each }))).filter(
    ({ command, rest }) => command in PARSERS && rest.includes(' --'),
  )
  expect(runs.length).toBeGreaterThan(30)
  const refused = runs.flatMap(({ page, command, rest }) => {
    try {
      PARSERS[command]?.(wordsOf(rest))
      return []
    } catch (cause) {
      return [`${page}: ${command}${rest}: ${(cause as Error).message}`]
    }
  })
  expect(refused).toEqual([])
})

const run = promisify(execFile)

/** What each command prints for --help, from one process that loads the script of one after the other. */
async function helpsOf(commands: readonly string[]): Promise<Map<string, string>> {
  const files = commands.map((command) => `./${scriptOf(command)}`)
  const code = `for (const file of ${JSON.stringify(files)}) { console.log('\\0'); await import(file) }`
  const running = run(process.execPath, ['--input-type=module', '-', '--help'], { cwd: ROOT })
  running.child.stdin?.end(code)
  const { stdout } = await running
  const [, ...helps] = stdout.split('\0')
  return new Map(commands.map((command, index) => [command, helps[index] ?? '']))
}

function scriptOf(command: string): string {
  const line = (packageJson.scripts as Readonly<Record<string, string>>)[command] ?? ''
  return /scripts\/[\w-]+\.ts/.exec(line)?.[0] ?? 'none'
}

test('every option that a page gives to a command is in the help of that command', async () => {
  const named = PAGES.flatMap((page) => optionsIn(page).map((each) => ({ page, ...each })))
  expect(named.length).toBeGreaterThan(50)
  const commands = [...new Set(named.map(({ command }) => command))]
  const known = await helpsOf(commands)
  expect(commands.filter((each) => !known.get(each)?.includes('--help'))).toEqual([])
  const wrong = named.filter(({ command, option }) => !known.get(command)?.includes(option))
  expect(wrong).toEqual([])
})

test('every error code has its line under its exit code', () => {
  const sections = textOf('docs/troubleshooting.md').split(/^## /m).slice(1)
  for (const [code, { exitCode }] of Object.entries(ERROR_CODES)) {
    const section = sections.find((each) => each.includes(`\`${code}\``))
    expect(section, code).toMatch(new RegExp(`^Exit ${exitCode}:`))
  }
})

test('the complete file that targets/README.md shows is a target file without a problem', () => {
  const [, text = ''] = /```json\n(\{[\s\S]*?\n\})\n```/.exec(textOf('targets/README.md')) ?? []
  const file = JSON.parse(text) as TargetFile
  expect(targetFileErrors(file)).toEqual([])
  expect(brokenRules(file)).toEqual([])
})

test('the check that CONTRIBUTING.md shows is that of the repository', () => {
  const [, code = 'no check'] = /```ts\n(import [\s\S]*?)```/.exec(textOf('CONTRIBUTING.md')) ?? []
  expect(textOf('conformance/content-type/put-and-patch.check.ts')).toBe(code)
})

test('every page of docs/ is in its table of contents', () => {
  const index = textOf('docs/README.md')
  const pages = readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  expect(pages.filter((name) => name !== 'README.md' && !index.includes(`(${name})`))).toEqual([])
})
