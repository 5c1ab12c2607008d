/**
 * A signal is answered soon in every phase of a run, and nothing is left behind. `npm run bench -- signals` takes all phases and prints
 * how soon; here are those that test/verdict/interruption.test.ts does not hold.
 */
import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { PHASES, processesNaming, type Phase } from './signal-phases.ts'

const { SIGNALS, SIGNALS_JSON, SIGNALS_SECONDS } = process.env
const repeats = Number(SIGNALS ?? 1)
const phases = SIGNALS === undefined ? PHASES.filter(({ isHere }) => isHere) : PHASES
const ONCE_AND_TWICE = [1, 2] as const
/** Each test has its share: after that it begins no other moment of its phase. */
const shareMs = (1_000 * Number(SIGNALS_SECONDS ?? 0)) / (phases.length * ONCE_AND_TWICE.length)

/** Never 0, as of a run that heard nothing and went on. A run that was at its end keeps its verdict; before our code is loaded, Node has no exit code for a signal. */
const EXIT_CODES = [130, 1, null]

/** The end of the process is an answer too. */
const ANSWER = 'a second signal ends at once'

const GOLDEN = 0.618

/** By phase: until the answer, and until the process had ended. */
const measured: Record<string, { answered: number[]; ended: number[] }> = {}

async function signalIn(phase: Phase, moment: number, signals: 1 | 2): Promise<void> {
  await using against = await phase.against()
  await using running = await phase.begin(against)
  if (phase.begins) await running.shows(phase.begins)
  // Spread over the phase, so that the first few lie far apart: a phase whose time is up is not measured at its beginning alone.
  await sleep(((moment * GOLDEN + 0.5) % 1) * phase.lastsMs)
  const signalledMs = performance.now()
  running.signal('SIGINT')
  if (signals === 2) {
    await sleep(200)
    running.signal('SIGINT')
  }
  // What was measured may take longer to be written: it says so at once.
  await Promise.race([running.ended, running.shows(ANSWER).catch(() => undefined)])
  const seconds = (performance.now() - signalledMs) / 1000
  const ended = await running.ended
  const name = `${phase.name}${signals === 2 ? ', two signals' : ''}`
  const figures = (measured[name] ??= { answered: [], ended: [] })
  figures.answered.push(seconds)
  figures.ended.push((performance.now() - signalledMs) / 1000)
  expect(EXIT_CODES, ended.err).toContain(ended.code)
  expect(await readdir(running.tempDir)).toEqual([])
  expect(processesNaming(running.tempDir)).toEqual([])
}

describe.skipIf(process.platform !== 'linux')('a signal', { timeout: 600_000 + shareMs }, () => {
  for (const phase of phases)
    for (const signals of ONCE_AND_TWICE)
      test.skipIf(phase.lacks !== undefined)(`${phase.name}: ${signals}`, async () => {
        const untilMs = performance.now() + shareMs
        for (let moment = 0; moment < repeats; moment++)
          if (moment === 0 || performance.now() < untilMs) await signalIn(phase, moment, signals)
      })
})

afterAll(() => {
  if (SIGNALS_JSON !== undefined) writeFileSync(SIGNALS_JSON, JSON.stringify(measured))
})
