import { expect, test } from 'vitest'
import { messagesIn, sourceFiles, type Message } from '../../scripts/messages/read.ts'

const WORDS_MAX = 25
/** Phrases that have to be read twice. */
const AVOID = /\b(?:(?:is|are|was|were|as) told(?! apart)|None where|of which(?!ever)|lies idle)\b/
/** Pages of help, documents, markup and styles: their lines are no sentences. */
const LAYOUT = /(?:\n.*){3}|\S {2,}\S|<\/?[a-z]|\{[a-z-]+:/

/** Columns of a table in a comment. */
const COLUMNS = /\S {2,}\S|^ *[a-z] +</

/** The running text of a comment, without its stars. */
const proseOf = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^ *\*? ?/, ''))
    .filter((line) => !COLUMNS.test(line))
    .join(' ')
    .replaceAll(/`[^`]*`/g, 'Code')

/** Sentences of one message. A value counts as one word. */
const sentencesOf = ({ text }: Message): string[] =>
  text
    .replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g, 'Value')
    .split(/(?<=[.!?:;])\s+/)
    .filter((sentence) => sentence !== '')

const texts = sourceFiles()
  .flatMap(messagesIn)
  .map((each) => (each.kind === 'comment' ? { ...each, text: proseOf(each.text) } : each))
const messages = texts.filter(({ kind, text }) => kind === 'message' && !LAYOUT.test(text))
const comments = texts.filter(({ kind }) => kind === 'comment')
const placeOf = ({ file, line }: Message): string => `${file}:${line}`

test('the messages of the sources are found', () => {
  expect(messages.length).toBeGreaterThan(3000)
  expect(messages.map(({ text }) => text)).toContain('Did you mean --{meant}?')
})

test.each([
  ['message', messages],
  ['comment', comments],
])('no sentence of a %s has more than 25 words', (_, all) => {
  const long = all.flatMap((each) =>
    sentencesOf(each)
      .filter((sentence) => sentence.split(/\s+/).length > WORDS_MAX)
      .map((sentence) => `${placeOf(each)}: ${sentence}`),
  )
  expect(long).toEqual([])
})

test.each([
  ['message', messages],
  ['comment', comments],
])('no %s has a phrase that must be read twice', (_, all) => {
  const found = all.filter(({ text }) => AVOID.test(text))
  expect(found.map((each) => `${placeOf(each)}: ${each.text}`)).toEqual([])
})
