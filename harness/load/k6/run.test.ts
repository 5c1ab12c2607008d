import { access, chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RealClock } from '../../clock.ts'
import type { K6Outcome } from '../evidence/k6-run.ts'
import { FORMS } from '../evidence/form.ts'
import { runK6 } from './run.ts'

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'harness-run-'))
})
afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

/** Finds what a real k6 finds: the plan's run in HARNESS_PLAN, and where to write in its arguments. */
const PROLOGUE = `#!/bin/sh
run=$(sed -n 's/.*"run": "\\(.*\\)".*/\\1/p' "$HARNESS_PLAN")
segment=-
for each; do case "$each" in
  --console-output=*) evidence=\${each#*=};;
  --execution-segment=*) segment=\${each#*=};;
esac; done
finish() {
  printf 'i 1 %s %s 1795259174782000 4500\\nx 0 0 0 5000 6000 200 - - n\\n' "$run" "$segment" > "$evidence"
  echo '{"thresholds":[]}' > "$HARNESS_SUMMARY"
  echo "says $HARNESS_KEY_0"
}
`

/** Runs a program in the place of k6. */
async function runWith(body: string, instances = 2, signal?: AbortSignal): Promise<K6Outcome> {
  const program = path.join(directory, 'k6')
  await writeFile(program, PROLOGUE + body)
  await chmod(program, 0o755)
  return runK6({
    plan: {
      scenario: 'replay-storm',
      file: { version: 1 },
      runtime: { GOGC: '400' },
      secrets: { HARNESS_KEY_0: 'a-secret' },
      requestsMin: 1,
      requestsMax: 1,
      wallSecondsMax: 20,
    },
    live: {
      name: 'replay-storm',
      requestsMin: 1,
      spanSeconds: 2,
      secondsExpected: 2,
      secondsMax: 20,
      form: FORMS.windows,
    },
    k6: { path: program, version: '2.2.0', source: 'K6_BIN' },
    instances,
    reached: { baseUrl: 'http://127.0.0.1:1' },
    runDir: path.join(directory, 'run'),
    clock: new RealClock(),
    signal,
    onProgress: () => undefined,
  })
}

describe('k6 processes that share a plan', () => {
  it('each get a segment, the same start, the settings of the plan and the keys, which no file holds', async () => {
    const outcome = await runWith('finish; env > "$evidence.env"')
    expect(outcome).toMatchObject({ exitCode: 0, thresholdsCrossed: [] })
    expect(outcome.doubt).toBeUndefined()
    expect(outcome.instances?.map(({ segment }) => segment)).toEqual(['0:1/2', '1/2:1'])
    const runDir = path.join(directory, 'run')
    const files = await readdir(runDir)
    const told = await Promise.all(
      files
        .filter((name) => name.endsWith('.env'))
        .map((name) => readFile(path.join(runDir, name), 'utf8')),
    )
    expect(told).toHaveLength(2)
    expect(new Set(told.map((text) => /HARNESS_START_AT=\d+/.exec(text)?.[0])).size).toBe(1)
    for (const text of told) expect(text).toMatch(/^HARNESS_INSTANCES=2$/m)
    for (const text of told) expect(text).toMatch(/^GOGC=400$/m)
    const written = files.filter((name) => !name.endsWith('.env'))
    for (const name of written)
      expect(await readFile(path.join(runDir, name), 'utf8')).not.toContain('a-secret')
  })

  it('are told of no others where one has the whole plan', async () => {
    const { instances } = await runWith('[ -z "$HARNESS_INSTANCES$HARNESS_START_AT" ] && finish', 1)
    expect(instances).toBeUndefined()
  })

  it('are all stopped when one of them cannot go on, whose words are told', async () => {
    const body = 'case $segment in 0:*) echo no such thing >&2; exit 107;; *) exec sleep 60;; esac'
    await expect(runWith(body)).rejects.toThrow(/exit code 107.*no such thing/s)
  })

  it('may fill a log with lines: it is cut, and what they tell of outputs is heard to the end', async () => {
    const line = 'Request Failed '.repeat(70)
    const lines = `i=0; while [ $i -lt 11000 ]; do echo "${line}"; i=$((i+1)); done`
    const lost = 'echo "Failed to send the time series data to the endpoint"'
    const outcome = await runWith(`${lines}; ${lost}; finish`, 1)
    expect(outcome.lostOutputs).toEqual(['experimental-prometheus-rw'])
    const log = await readFile(path.join(directory, 'run', 'replay-storm.k6.log'), 'utf8')
    expect(log.length).toBeLessThan(10_100_000)
    expect(log).toMatch(/… more was left out\n$/)
  })

  it('leave what they have when they are stopped', async () => {
    const controller = new AbortController()
    const body = 'case $segment in 0:*) finish; : > "$evidence.ready";; esac; exec sleep 60'
    const running = runWith(body, 2, controller.signal)
    const ready = path.join(directory, 'run', 'replay-storm.0.evidence.txt.ready')
    await expect
      .poll(() =>
        access(ready).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    controller.abort()
    const outcome = await running
    expect(outcome.stopped).toBe('aborted')
    expect(outcome.instances?.map(({ segment }) => segment)).toEqual(['0:1/2'])
  })

  it('are not believed where one of them wrote nothing', async () => {
    await expect(
      runWith('case $segment in 0:*) finish;; *) finish; rm "$evidence";; esac'),
    ).rejects.toThrow('wrote no evidence into replay-storm.1.evidence.txt')
  })
})
