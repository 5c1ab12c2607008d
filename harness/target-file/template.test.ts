import { describe, expect, test } from 'vitest'
import { HarnessError } from '../errors.ts'
import {
  hasBrokenPlaceholder,
  pathVariables,
  renderPath,
  renderTemplate,
  templateVariables,
  withDoubleBraces,
} from './template.ts'

const variables = { text: 'a', count: 3, yes: true, none: null, absent: undefined }

describe('renderTemplate', () => {
  test.each([
    ['{{text}}', 'a'],
    ['{{count}}', 3],
    ['{{ yes }}', true],
    ['{{none}}', null],
    ['{{absent}}', undefined],
    ['x-{{count}}-{{text}}', 'x-3-a'],
    ['x-{{absent}}', undefined],
    ['plain', 'plain'],
    [7, 7],
    [null, null],
    [
      { a: '{{count}}', b: '{{absent}}', c: { d: ['{{text}}', '{{absent}}'] } },
      { a: 3, c: { d: ['a'] } },
    ],
  ])('%j gives %j', (template, rendered) => {
    expect(renderTemplate(template, variables)).toEqual(rendered)
  })

  test('drops the property rather than setting it to undefined', () => {
    expect(Object.keys(renderTemplate({ a: '{{absent}}' }, variables) as object)).toEqual([])
  })

  test('names the variable that is not given', () => {
    expect(() => renderTemplate({ a: ['{{txt}}'] }, { text: 'a' })).toThrow(
      'A template names the variable "txt", which has no value here; known are: text.',
    )
  })

  test.each(['constructor', '__proto__', 'toString'])('%s is not inherited', (name) => {
    expect(() => renderTemplate(`{{${name}}}`, {})).toThrow(HarnessError)
  })

  test('a value is inserted as it is, never as a template again', () => {
    expect(renderTemplate('<{{a}}>', { a: '{{b}} $& $1', b: 'x' })).toBe('<{{b}} $& $1>')
  })
})

describe('renderPath', () => {
  test('encodes each value as one segment', () => {
    expect(renderPath('/services/{s}/items/{i}', { s: 'a/b?c', i: 'ü 1' })).toBe(
      '/services/a%2Fb%3Fc/items/%C3%BC%201',
    )
  })

  test.each(['', '.', '..', undefined])('refuses %j as a segment', (value) => {
    expect(() => renderPath('/items/{id}', { id: value })).toThrow(
      'cannot be a segment of the path /items/{id}',
    )
  })

  test('names the variable that is not given', () => {
    expect(() => renderPath('/items/{id}', {})).toThrow('"id"')
  })
})

test('the variables of templates and paths can be listed', () => {
  expect(templateVariables({ b: 'x{{two}}', a: ['{{one}}', { c: '{{two}}' }], d: 1 })).toEqual([
    'one',
    'two',
  ])
  expect(pathVariables('/a/{x}/b/{y}')).toEqual(['x', 'y'])
})

test.each([
  ['{{a}}', false],
  ['{a}', false],
  ['{{a', true],
  ['{{ }}', true],
  ['{{1a}}', true],
  ['a}}', true],
])('%s broken: %j', (text, broken) => {
  expect(hasBrokenPlaceholder(text)).toBe(broken)
})

describe('single braces', () => {
  test.each([
    ['{itemId}', '{{itemId}}'],
    ['a {itemId} b', 'a {{itemId}} b'],
    ['{{itemId}}', undefined],
    ['{}', undefined],
  ])('%s', (text, doubled) => {
    expect(withDoubleBraces(text)).toBe(doubled)
  })
})
