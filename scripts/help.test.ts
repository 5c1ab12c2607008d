import { describe, expect, test } from 'vitest'
import { RUN_OPTIONS } from '../harness/gate/options.ts'
import { helpOf } from './help.ts'

const COMMANDS = ['gate', 'conformance', 'load', 'plan'] as const

function optionsIn(command: (typeof COMMANDS)[number]): ReadonlySet<string> {
  const help = helpOf(command).replaceAll(/npm run \S+ -- /g, '')
  return new Set([...help.matchAll(/--([a-z][a-z0-9-]*)/g)].map(([, name = '']) => name))
}

/** Of other commands that the help names. */
const ELSEWHERE = new Set(['list-faults'])

describe('the help of a run', () => {
  test('has every option that is parsed', () => {
    const shown = new Set(COMMANDS.flatMap((command) => [...optionsIn(command)]))
    expect(Object.keys(RUN_OPTIONS).filter((name) => !shown.has(name))).toEqual([])
  })

  test.each(COMMANDS)('of %s names no option that is not parsed', (command) => {
    const parsed = new Set([...Object.keys(RUN_OPTIONS), ...(command === 'plan' ? ['for'] : [])])
    const unknown = [...optionsIn(command)].filter(
      (name) => !parsed.has(name) && !ELSEWHERE.has(name),
    )
    expect(unknown).toEqual([])
  })
})
