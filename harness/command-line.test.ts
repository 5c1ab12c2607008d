import { describe, expect, it } from 'vitest'
import { readArguments } from './command-line.ts'
import { HarnessError } from './errors.ts'

const OPTIONS = {
  'base-url': { type: 'string' },
  target: { type: 'string' },
  'no-load': { type: 'boolean' },
  list: { type: 'boolean' },
} as const

function toldOf(args: readonly string[], env: Record<string, string> = {}): string {
  try {
    readArguments({ args: [...args], options: OPTIONS, strict: true }, env)
  } catch (error) {
    expect(error).toBeInstanceOf(HarnessError)
    const { code, message, nextStep } = error as HarnessError
    expect(code).toBe('E_USAGE')
    return `${message}. ${nextStep}`
  }
  return 'understood'
}

const OF_NPM = { npm_lifecycle_event: 'gate' }

describe('arguments that are not understood', () => {
  it.each([
    ['--baseurl', 'there is no option --baseurl. Did you mean --base-url?'],
    ['--baseUrl=http://x', 'there is no option --baseUrl. Did you mean --base-url?'],
    ['--noload', 'there is no option --noload. Did you mean --no-load?'],
    ['--zzz', 'there is no option --zzz. Run with --help for the options and examples.'],
  ])('%s', (argument, told) => {
    expect(toldOf([argument])).toBe(told)
  })

  it('an option without its value', () => {
    expect(toldOf(['--base-url'])).toContain('--base-url')
  })
})

describe('options that npm kept for itself', () => {
  it.each([
    [{ npm_config_base_url: 'true' }, ['http://x'], '--base-url'],
    [{ npm_config_base_url: 'http://x' }, [], '--base-url'],
    [{ npm_config_target: 'true' }, ['my.json'], '--target'],
    [{ npm_config_load: '' }, [], '--no-load'],
  ])('%j', (env, args, flag) => {
    expect(toldOf(args, { ...OF_NPM, ...env })).toBe(
      `npm took the option ${flag} for itself. Put a lone -- before the options: npm run gate -- --OPTION VALUE. Nothing was sent.`,
    )
  })

  it('settings of npm are none', () => {
    const env = { ...OF_NPM, npm_config_target: '24.0.0', npm_config_list: 'true' }
    expect(toldOf(['--no-load'], env)).toBe('understood')
  })

  it('a lost URL is told where it belongs', () => {
    expect(toldOf(['http://x'], OF_NPM)).toContain('Write --base-url http://x. Put a lone --')
    expect(toldOf(['my.json'])).toContain('Write --target my.json.')
  })
})
