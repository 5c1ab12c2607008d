import { expect, test } from 'vitest'
import { messagesIn, sourceFiles, type Message } from '../../scripts/messages/read.ts'

const WORDS_MAX = 25
/** Phrases that have to be read twice. */
const AVOID = /\b(?:(?:is|are|was|were|as) told|None where|of which(?!ever)|lies idle)\b/
/** Pages of help, documents, markup and styles: their lines are no sentences. */
const LAYOUT = /(?:\n.*){3}|\S {2,}\S|<\/?[a-z]|\{[a-z-]+:/

/** Sentences of one message. A value counts as one word. */
const sentencesOf = ({ text }: Message): string[] =>
  text
    .replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g, 'Value')
    .split(/(?<=[.!?:;])\s+/)
    .filter((sentence) => sentence !== '')

const messages = sourceFiles()
  .flatMap(messagesIn)
  .filter(({ kind, text }) => kind === 'message' && !LAYOUT.test(text))
const placeOf = ({ file, line }: Message): string => `${file}:${line}`

test('the messages of the sources are found', () => {
  expect(messages.length).toBeGreaterThan(3000)
  expect(messages.map(({ text }) => text)).toContain('Did you mean --{meant}?')
})

test(`no sentence of a message has more than ${WORDS_MAX} words`, () => {
  const long = messages.filter((message) =>
    sentencesOf(message).some((sentence) => sentence.split(' ').length > WORDS_MAX),
  )
  expect(long.map((message) => `${placeOf(message)}: ${message.text}`)).toEqual([])
})

test('no message has a phrase that must be read twice', () => {
  const found = messages.filter(({ text }) => AVOID.test(text))
  expect(found.map((message) => `${placeOf(message)}: ${message.text}`)).toEqual([])
})
