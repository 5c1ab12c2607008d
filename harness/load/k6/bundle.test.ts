import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { childEnvironment } from '../../child-environment.ts'

const CANARY = 'canary-0123456789'

/** Bundles, then looks at the environment of every process that it started. */
const SCRIPT = `
import { readFileSync, readdirSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import { bundleScenario } from './harness/load/k6/bundle.ts'
await bundleScenario('rate-limit-windows', mkdtempSync(os.tmpdir() + '/bundle-'))
const children = readdirSync('/proc/self/task').flatMap((task) =>
  readFileSync('/proc/self/task/' + task + '/children', 'utf8').trim().split(' ').filter(Boolean))
console.log(JSON.stringify({
  children: children.map((pid) => readFileSync('/proc/' + pid + '/environ', 'utf8').split('\\0')),
  own: process.env.ORDERING_KEY,
}))
`

test.skipIf(process.platform !== 'linux')('esbuild gets no key, and we keep ours', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', SCRIPT],
    {
      env: { ...process.env, ORDERING_KEY: CANARY },
      cwd: path.join(import.meta.dirname, '../../..'),
    },
  )
  const { children, own } = JSON.parse(stdout) as { children: string[][]; own: string }
  expect(own).toBe(CANARY)
  expect(children.length).toBeGreaterThan(0)
  for (const environment of children) {
    expect(environment.join()).not.toContain(CANARY)
    expect(environment).toContain(`PATH=${process.env['PATH']}`)
  }
})

test('a child gets what it needs, and what is named for it', () => {
  const env = {
    PATH: '/bin',
    ORDERING_KEY: CANARY,
    GOPROXY: 'direct',
    HTTPS_PROXY: 'p',
    SET: undefined,
  }
  expect(childEnvironment(env)).toEqual({ PATH: '/bin', HTTPS_PROXY: 'p' })
  expect(childEnvironment(env, (name) => name.startsWith('GO'))).toHaveProperty('GOPROXY', 'direct')
})
