/** The harness in a container judges the reference service in another, over a network of their own. Skipped where no engine answers. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shortLimits } from '../../harness/test-server/short-limits.ts'
import { targetFile } from '../../reference/target.ts'
import { docker } from '../../scripts/image/docker.ts'
import { validRecord } from '../verdict/command-line.ts'
import { reasonWithoutEngine, removeImages, runScript } from './engine.ts'

/** Names of this run alone. */
const HARNESS = `ordering-harness-test-${process.pid}`
const SERVICE = `ordering-reference-network-test-${process.pid}`
const NETWORK = `harness-image-test-${process.pid}`
const HOST = `service-${process.pid}`
const TOKEN = 'control-token-of-the-network-test'
const WINDOW_SECONDS = 5

const missing = await reasonWithoutEngine()

describe.skipIf(missing !== undefined)('the image of the harness', () => {
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'harness-image-test-'))
    // The harness runs as nobody, who has to write its reports here.
    await chmod(folder, 0o777)
    for (const [of, tag] of [
      ['harness', HARNESS],
      ['reference', SERVICE],
    ] as const) {
      const { exitCode, output } = await runScript(['image.ts', '--of', of, '--tag', tag])
      expect(output).toContain(`Built ${tag}: sha256:`)
      expect(exitCode).toBe(0)
    }
    await docker(['network', 'create', NETWORK])
    await docker(['run', '--detach', '--read-only', '--cap-drop', 'ALL', ...serviceOptions()])
    const file = targetFile(`http://${HOST}:8080`, `http://${HOST}:8081`)
    await writeFile(path.join(folder, 'target.json'), JSON.stringify(file))
  })

  afterAll(async () => {
    await docker(['rm', '--force', HOST])
    await docker(['network', 'rm', NETWORK])
    await removeImages(HARNESS, SERVICE)
    await rm(folder, { recursive: true })
  })

  test('judges by checks and load, as nobody and on a read-only file system', async () => {
    const said = await harness(['gate', '--target', 'target.json', '--only', 'auth,replay-storm'])
    expect(said).toMatch(/^✓ Pass \(exit 0\)/m)
    const run = path.join(folder, 'reports', 'latest')
    expect(await readdir(run)).toEqual(
      expect.arrayContaining(['index.html', 'junit.xml', 'run.json', 'summary.md']),
    )
    const record = validRecord(await readFile(path.join(run, 'run.json'), 'utf8'))
    expect(record).toMatchObject({
      exitCode: 0,
      target: { baseUrl: `http://${HOST}:8080` },
    })
    expect(record.load).toMatchObject([{ scenario: 'replay-storm', verdict: 'pass' }])
  })

  test('shows its commands', async () => {
    expect(await harness(['--help'])).toMatch(/^ {2}gate +judge a target/m)
  })

  function harness(args: readonly string[]): Promise<string> {
    const locked = ['--rm', '--read-only', '--cap-drop', 'ALL', '--tmpfs', '/tmp']
    const place = ['--network', NETWORK, '--volume', `${folder}:/work`]
    return docker([
      'run',
      ...locked,
      ...place,
      '--env',
      `ORDERING_CONTROL_TOKEN=${TOKEN}`,
      HARNESS,
      ...args,
    ])
  }
})

function serviceOptions(): string[] {
  const limits = Object.entries(shortLimits(WINDOW_SECONDS)).map(
    ([bucket, { count, windowSeconds }]) => `${bucket}=${count}/${windowSeconds}`,
  )
  const settings = [
    `REFERENCE_LIMIT=${limits.join(',')}`,
    'REFERENCE_CONTROL_HOST=0.0.0.0',
    'REFERENCE_CONTROL_PORT=8081',
    `REFERENCE_CONTROL_TOKEN=${TOKEN}`,
  ]
  return [
    '--name',
    HOST,
    '--network',
    NETWORK,
    ...settings.flatMap((setting) => ['--env', setting]),
    SERVICE,
  ]
}
