/** Runs that are prepared, carried out with k6 alone as their README says, and judged. */
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { k6AtHand } from '../support/k6.ts'
import { listen, type RunningServer } from '../../reference/server.ts'
import { createService } from '../../reference/service.ts'
import { targetFile } from '../../reference/target.ts'
import { expectNotGreen, expectRefused, type Ended } from './command-line.ts'
import { run } from './here.ts'
import { targetOnDisk } from './servers.ts'

const k6 = k6AtHand

let home = ''
let names = 0
beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'prepared-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

const fresh = (): string => path.join(home, String(names++))

/** The reference service in this process, with its target file; with a control side, if asked for. */
async function serve(
  controlPort?: number,
): Promise<AsyncDisposable & { target: string; env: Record<string, string> }> {
  const limits = { default: { count: 40, windowSeconds: 2 } }
  const server: RunningServer = await listen(
    createService({ limits }),
    controlPort === undefined ? {} : { controlPort },
  )
  const { baseUrl, controlBaseUrl } = server
  const onDisk = await targetOnDisk(baseUrl, () => targetFile(baseUrl, controlBaseUrl))
  return {
    target: onDisk.file,
    env: { ...onDisk.env },
    async [Symbol.asyncDispose]() {
      await onDisk[Symbol.asyncDispose]()
      await server.close()
    },
  }
}

/** The commands of a README, block by block. */
async function commandsOf(directory: string): Promise<string[]> {
  const readme = await readFile(path.join(directory, 'README.md'), 'utf8')
  return [...readme.matchAll(/```sh\n([^]*?)\n```/g)].map(([, commands = '']) => commands)
}

/** Runs commands as somebody would who has nothing but the directory, the keys and k6. */
async function shell(
  directory: string,
  script: string,
  env: Record<string, string>,
): Promise<void> {
  const search = [path.dirname(k6?.path ?? ''), process.env['PATH']].join(path.delimiter)
  await promisify(execFile)('sh', ['-e', '-c', script], {
    cwd: directory,
    env: { PATH: search, HOME: home, ...env },
  })
}

async function filesWith(directory: string, text: string): Promise<string[]> {
  const all = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = all.filter((entry) => entry.isFile())
  const found: string[] = []
  for (const { parentPath, name } of files)
    if ((await readFile(path.join(parentPath, name), 'utf8')).includes(text)) found.push(name)
  return found
}

const judge = (directory: string, env: Record<string, string> = {}): Promise<Ended> =>
  run('load', ['--judge', directory], env)

/** Prepares a run for two processes on a target that makes accounts. */
async function prepareShared(
  scenario: string,
): Promise<AsyncDisposable & { directory: string; keysFile: string; env: Record<string, string> }> {
  const service = await serve(0)
  const [directory, keysFile] = [fresh(), `${fresh()}.env`]
  const ended = await run(
    'load',
    `--prepare ${directory} --keys-file ${keysFile} --instances 2 --target ${service.target} --scenario ${scenario}`.split(
      ' ',
    ),
    service.env,
  )
  expect(ended.code, ended.out + ended.err).toBe(0)
  return {
    directory,
    keysFile,
    env: service.env,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** Carries it out with two processes side by side, by the commands of the README. */
async function carryOutShared(directory: string, env: Record<string, string>): Promise<void> {
  const [keys = '', exports = '', , shared = ''] = await commandsOf(directory)
  const [start = '', ...processes] = shared.split('\n\n')
  expect(processes).toHaveLength(2)
  const script = `${keys}\n${exports}\n${start.replace('+ 20', '+ 8')}\n`
  const started = processes.map((each, index) => `${each} & P${index}=$!`)
  await shell(directory, `${script}${started.join('\n')}\nwait $P0; wait $P1`, env)
}

describe('a prepared run', { concurrent: true }, () => {
  beforeEach((context) => {
    if (k6 === undefined) context.skip('no k6 in K6_BIN, on PATH or in the cache')
  })

  test('is carried out with plain k6 by its README, with the keys of the target file', async () => {
    await using service = await serve()
    const directory = fresh()
    const prepared = await run(
      'load',
      ['--prepare', directory, '--target', service.target, '--scenario', 'replay-storm'],
      service.env,
    )
    expect(prepared.code, prepared.err).toBe(0)
    expect(prepared.runs).toEqual([])
    for (const secret of Object.values(service.env))
      expect(await filesWith(directory, secret)).toEqual([])
    const [keys = '', exports = '', command = ''] = await commandsOf(directory)
    await shell(directory, [keys, exports, command].join('\n'), service.env)
    for (const secret of Object.values(service.env))
      expect(await filesWith(directory, secret)).toEqual([])
    // Without a key: nothing is sent any more.
    const ended = await judge(directory)
    expect(ended.code, ended.out + ended.err).toBe(0)
    const { load, hazards } = await ended.record()
    expect(load).toHaveLength(1)
    expect(load[0]).toMatchObject({ scenario: 'replay-storm', verdict: 'pass' })
    expect(load[0]?.k6).not.toHaveProperty('exitCode')
    expect(load[0]?.measurements).not.toHaveProperty('clockStepMs')
    expect(hazards.join(' ')).toContain('whether the clock of its machine was set')
  })

  test('is shared by two processes, and judged only with all of their evidence', async () => {
    await using shared = await prepareShared('spend-contention')
    const { directory, keysFile, env } = shared
    expect((await stat(keysFile)).mode & 0o777).toBe(0o600)
    const secrets = (await readFile(keysFile, 'utf8')).trim().split('\n')
    await carryOutShared(directory, env)
    for (const line of secrets)
      expect(await filesWith(directory, line.slice(line.indexOf('=') + 1))).toEqual([])

    const whole = await judge(directory)
    expect(whole.code, whole.out + whole.err).toBe(0)
    const { load, hazards } = await whole.record()
    expect(load[0]?.instances?.map(({ segment }) => segment)).toEqual(['0:1/2', '1/2:1'])
    expect(hazards.join(' ')).toContain('differ by at most 100 ms')

    const [one, two] = [1, 2].map((at) =>
      path.join(directory, `spend-contention.${at}.evidence.txt`),
    )
    const kept = await readFile(two ?? '', 'utf8')
    await rm(two ?? '')
    const half = await expectNotGreen(await judge(directory), 6)
    expect(half.load[0]?.reason).toContain('segment 1/2:1 is missing')

    await copyFile(one ?? '', two ?? '')
    const twice = await judge(directory)
    expectRefused(twice, 4, /E_K6_FAILED: Two instances carried out the segment/)

    await writeFile(two ?? '', kept.slice(0, -20))
    expectRefused(await judge(directory), 4, /is cut off/)

    await writeFile(two ?? '', kept.replace(/^i 1 \w+/, 'i 1 another'))
    expectRefused(await judge(directory), 4, /is evidence of run another/)
  })

  test('is not judged without evidence, nor with a plan that was changed', async () => {
    await using shared = await prepareShared('replay-storm')
    const { directory } = shared
    expectRefused(await judge(directory), 2, /holds no evidence/)
    const [run] = /(?<="run": ")\w+/.exec(
      await readFile(path.join(directory, 'replay-storm.plan.json'), 'utf8'),
    ) as string[]
    const plan = path.join(directory, 'replay-storm.plan.json')
    await writeFile(path.join(directory, 'x.evidence.txt'), `i 1 ${run} - 1795259174782000 4500\n`)
    expectRefused(await judge(directory), 4, /without one exchange/)
    await writeFile(plan, (await readFile(plan, 'utf8')).replace('"widest"', '"wider"'))
    expectRefused(await judge(directory), 2, /replay-storm.plan.json was changed/)
  })
})

describe('preparing is refused', { concurrent: true }, () => {
  test.each([
    ['for a service that ends with the command', ['--prepare', 'DIR'], /ends with this command/],
    [
      'without a place for keys that are made',
      ['--prepare', 'DIR', '--target', 'T'],
      /--keys-file/,
    ],
    [
      'with the keys in the directory itself',
      ['--prepare', 'DIR', '--target', 'T', '--keys-file', 'DIR/keys.env'],
      /lies in the prepared directory/,
    ],
    ['of what was never prepared', ['--judge', 'DIR'], /holds no prepared run/],
  ] as const)('%s', async (_, parameters, sentence) => {
    await using service = await serve(0)
    const directory = fresh()
    const given = parameters.map((each) => (each === 'T' ? service.target : each))
    const ended = await run(
      'load',
      given.map((each) => each.replace('DIR', directory)),
      service.env,
    )
    expectRefused(ended, 2, sentence)
  })

  test('into a directory that holds something', async () => {
    await using service = await serve()
    const parameters = ['--prepare', path.dirname(service.target), '--target', service.target]
    const ended = await run('load', [...parameters, '--scenario', 'replay-storm'], service.env)
    expectRefused(ended, 2, /is not empty/)
  })
})
