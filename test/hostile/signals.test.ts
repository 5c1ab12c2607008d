/**
 * A signal is answered soon in every phase of a run, and nothing is left behind. Here are the phases that
 * test/verdict/interruption.test.ts does not hold. `SIGNALS=7 npm test -- test/hostile/signals.test.ts` takes seven moments of all
 * phases, for about ten minutes, and prints how soon.
 */
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { PHASES, processesNaming, type Phase } from './signal-phases.ts'

const { SIGNALS } = process.env
/** All tests together begin no other moment after so long. What is begun takes a minute more, on a busy machine several. */
const ALL_SECONDS = SIGNALS === undefined ? 0 : 600
const repeats = Number(SIGNALS ?? 1)
const phases = SIGNALS === undefined ? PHASES.filter(({ isHere }) => isHere) : PHASES
const ONCE_AND_TWICE = [1, 2] as const
/** Each test has its share: after that it begins no other moment of its phase. */
const shareMs = (1_000 * ALL_SECONDS) / (phases.length * ONCE_AND_TWICE.length)

/** Never 0, as of a run that heard nothing and went on. A run that was at its end keeps its verdict; before our code is loaded, Node has no exit code for a signal. */
const EXIT_CODES = [130, 1, null]

/** The end of the process is an answer too. */
const ANSWER = 'a second signal ends at once'

const GOLDEN = 0.618

/** Seconds. */
type Answered = { readonly answer: number; readonly end: number }

async function signalIn(phase: Phase, moment: number, signals: 1 | 2): Promise<Answered> {
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
  const answer = (performance.now() - signalledMs) / 1000
  const ended = await running.ended
  const end = (performance.now() - signalledMs) / 1000
  expect(EXIT_CODES, ended.err).toContain(ended.code)
  expect(await readdir(running.tempDir)).toEqual([])
  expect(processesNaming(running.tempDir)).toEqual([])
  return { answer, end }
}

describe.skipIf(process.platform !== 'linux')('a signal', { timeout: 600_000 + shareMs }, () => {
  for (const phase of phases)
    for (const signals of ONCE_AND_TWICE)
      test.skipIf(phase.lacks !== undefined)(`${phase.name}: ${signals}`, async ({ annotate }) => {
        const untilMs = performance.now() + shareMs
        const all: Answered[] = []
        for (let moment = 0; moment < repeats; moment++)
          if (moment === 0 || performance.now() < untilMs)
            all.push(await signalIn(phase, moment, signals))
        await annotate(`seconds until the answer and the end: ${JSON.stringify(all)}`)
      })
})
