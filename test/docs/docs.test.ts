import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ERROR_CODES } from '../../harness/errors.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Written by commands. */
const GENERATED = ['docs/faults.md', 'docs/load-faults.md']
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'targets/README.md',
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].filter((page) => !GENERATED.includes(page))

const WORDS_MAX = 30
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

  test('names commands that exist', () => {
    const named = [...textOf(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '')
    expect(named.filter((name) => name !== 'NAME' && !(name in packageJson.scripts))).toEqual([])
  })
})

test('every error code has its line under its exit code', () => {
  const sections = textOf('docs/troubleshooting.md').split(/^## /m).slice(1)
  for (const [code, { exitCode }] of Object.entries(ERROR_CODES)) {
    const section = sections.find((each) => each.includes(`\`${code}\``))
    expect(section, code).toMatch(new RegExp(`^Exit ${exitCode}:`))
  }
})

test('every page of docs/ is in its table of contents', () => {
  const index = textOf('docs/README.md')
  const pages = readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  expect(pages.filter((name) => name !== 'README.md' && !index.includes(`(${name})`))).toEqual([])
})
