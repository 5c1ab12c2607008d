import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** A text of a source file that somebody reads. */
export type Message = {
  readonly kind: 'message' | 'comment'
  readonly file: string
  readonly line: number
  readonly text: string
}

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Fewer words are a label, a name or a part of a key. */
const WORDS_MIN = 4

/** Sources whose texts are shown to users: no test, nothing generated. */
export function sourceFiles(folders: readonly string[] = []): string[] {
  return (
    execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], { cwd: ROOT })
      .toString()
      .split('\n')
      .filter((file) => /^(?:conformance|contract|harness|load|reference|scripts)\//.test(file))
      .filter((file) => !file.endsWith('.test.ts'))
      // Git lists files that were removed until the removal is staged.
      .filter((file) => existsSync(path.join(ROOT, file)))
      .filter((file) => folders.length === 0 || folders.some((folder) => file.startsWith(folder)))
  )
}

export function messagesIn(file: string): Message[] {
  const source = readFileSync(path.join(ROOT, file), 'utf8')
  const { program, comments } = parseSync(file, source)
  const found: { at: number; kind: Message['kind']; text: string }[] = []
  const add = (at: number, text: string, kind: Message['kind'] = 'message'): void => {
    const isRead = /[a-z]/.test(text) && text.trim().split(/\s+/).length >= WORDS_MIN
    if (isRead) found.push({ at, kind, text: text.trim() })
  }
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') add(start, value)
    },
    TemplateLiteral: ({ quasis, expressions, start }) => {
      const parts = quasis.map(({ value }, index) => {
        const expression = expressions[index]
        const place = expression && `{${source.slice(expression.start, expression.end)}}`
        return `${value.cooked ?? ''}${place ?? ''}`
      })
      add(start, parts.join(''))
    },
  }).visit(program)
  for (const { start, value } of comments) add(start, value.replaceAll(/^\s*\*/gm, ''), 'comment')
  return found
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, kind, text }) => ({
      kind,
      file,
      line: source.slice(0, at).split('\n').length,
      text,
    }))
}
