/** The image, for real: built, judged by the gate, and run as an orchestrator would run it. Skipped where no engine answers. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { docker } from '../../scripts/image/docker.ts'
import {
  buildImage,
  containersOf,
  inspect,
  reasonWithoutEngine,
  removeImages,
  runScript,
  startLocked,
} from './engine.ts'

/** Of this run alone: what another run of these tests starts is not counted. */
const IMAGE = `ordering-reference-test-${process.pid}`
const DERIVED = `${IMAGE}-derived`

/** Docker kills what has not ended by then, so that an ignored SIGTERM shows as exit code 137. */
const STOP_SECONDS = '60'

/** Checks that no busy machine leaves undecided: no window has to be spent before it ends. */
const UNTIMED = 'allowlist,catalog,content-type,envelope,lookup'

const missing = await reasonWithoutEngine()
let reports = ''

beforeAll(async () => {
  reports = await mkdtemp(path.join(os.tmpdir(), 'container-test-'))
})

afterAll(async () => {
  await rm(reports, { recursive: true })
  if (missing === undefined) await removeImages(IMAGE, DERIVED)
})

test('without a Docker engine the environment is not ready', async () => {
  const env = { DOCKER_HOST: 'tcp://127.0.0.1:1' }
  const { exitCode, output } = await runScript(['gate.ts', '--image', IMAGE, '--no-load'], { env })
  expect(output).toContain('E_ENVIRONMENT_ENGINE: no Docker engine answers')
  expect(exitCode).toBe(3)
})

describe('the image of the reference service', () => {
  beforeAll(async () => {
    if (missing !== undefined) return
    const { exitCode, output } = await runScript(['image.ts', '--tag', IMAGE])
    expect(output).toContain(`Built ${IMAGE}: sha256:`)
    expect(exitCode).toBe(0)
  })

  beforeEach(({ skip }) => skip(missing !== undefined, missing))

  test('passes the gate, which removes its container', async () => {
    const folder = path.join(reports, 'clean')
    const { exitCode, output } = await judge(IMAGE, ['--only', UNTIMED, '--reports', folder])
    expect(output).toContain('Pass (exit 0)')
    expect(exitCode).toBe(0)
    expect(await targetIn(folder)).toMatchObject({
      kind: 'image',
      name: `reference service (image ${IMAGE})`,
    })
    expect(await containersOf(IMAGE)).toBe('')
  })

  test('fails the gate with a defect in it', async () => {
    await buildImage(DERIVED, [
      `FROM ${IMAGE}`,
      'ENV REFERENCE_FAULT=allowlist-message-echoes-list',
    ])
    const folder = path.join(reports, 'defect')
    const { exitCode, output } = await judge(DERIVED, ['--only', 'allowlist', '--reports', folder])
    expect(output).toContain('✕ ALLOW-11')
    expect(exitCode).toBe(1)
  })

  test.each([
    ['one signal', ['carries out']],
    ['two signals', ['carries out', 'a second signal ends at once']],
  ])('is removed after %s to the gate', async (_, interruptAt) => {
    const folder = path.join(reports, `interrupted-${interruptAt.length}`)
    const { exitCode } = await judge(IMAGE, ['--reports', folder], interruptAt)
    expect(exitCode).toBe(130)
    expect(await containersOf(IMAGE)).toBe('')
  })

  test.each([
    ['ends at once', 'ENV REFERENCE_FAULT=none-such', /"none-such", which does not exist/],
    ['lacks its target file', 'LABEL org.ordering-harness.target-file=/none.json', /none\.json/],
  ])('an image that %s is an environment that is not ready', async (_, line, message) => {
    await buildImage(DERIVED, [`FROM ${IMAGE}`, line])
    const { exitCode, output } = await judge(DERIVED, [])
    expect(output).toMatch(/^E_ENVIRONMENT_IMAGE: /m)
    expect(output).toMatch(message)
    expect(exitCode).toBe(3)
    expect(await containersOf(DERIVED)).toBe('')
  })

  test('an image that is nowhere is an environment that is not ready', async () => {
    const { exitCode, output } = await judge('127.0.0.1:1/none-such:none', [])
    expect(output).toMatch(/^E_ENVIRONMENT_IMAGE: .*cannot be pulled/m)
    expect(exitCode).toBe(3)
  })

  test('runs as nobody on a read-only file system, becomes healthy and ends on SIGTERM', async () => {
    const container = await startLocked(IMAGE)
    try {
      await expect
        .poll(() => inspect(container, '{{.State.Health.Status}}'), { interval: 250 })
        .toBe('healthy')
      const [uid, writing] = await insideOf(container)
      expect(Number(uid)).toBeGreaterThan(0)
      expect(writing).toBe('EROFS')
      await docker(['stop', '--time', STOP_SECONDS, container])
      expect(await inspect(container, '{{.State.ExitCode}}')).toBe('0')
    } finally {
      await docker(['rm', '--force', container])
    }
  })
})

/** The gate's conformance part, against an image. */
function judge(
  image: string,
  args: readonly string[],
  interruptAt: readonly string[] = [],
): ReturnType<typeof runScript> {
  return runScript(['gate.ts', '--image', image, '--no-load', ...args], { interruptAt })
}

async function targetIn(folder: string): Promise<unknown> {
  const [runId = ''] = await readdir(folder)
  const record = await readFile(path.join(folder, runId, 'run.json'), 'utf8')
  return (JSON.parse(record) as { target: unknown }).target
}

const LOOK_AROUND = `
  let writing = 'possible'
  try { require('node:fs').writeFileSync('/app/new', '') } catch (error) { writing = error.code }
  console.log(process.getuid(), writing)
`

/** User id of a process in the container, and what becomes of its attempt to write. */
async function insideOf(container: string): Promise<string[]> {
  const said = await docker(['exec', container, 'node', '--eval', LOOK_AROUND])
  return said.split(' ')
}
