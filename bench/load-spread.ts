/** How far apart purchases that were released at once arrive: ours beside a plain loop in Go over open sockets. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { bundleScenario } from '../harness/load/k6/bundle.ts'
import { type Quartiles, type Spread, quartilesOf, spreadOf } from './spread.ts'
import { type Receiver, startService } from './spread-receivers.ts'
import { type Release, buildGo, releaseByK6, releaseByLoop } from './spread-release.ts'

export type SpreadOptions = {
  readonly go: string
  readonly k6: string
  /** Purchases that are released at once. */
  readonly width: number
  /** Each of so many releases; ours and the loop's take turns. */
  readonly rounds: number
  readonly releases: number
}

/** First to last arrival of a release, milliseconds, by a service that notes when it has read each purchase. */
export type SpreadResult = {
  readonly loop: Quartiles
  readonly ours: Quartiles
  /** ours / loop, of the medians of each round. */
  readonly ratio: Spread
  /** ours / loop, of the lower quartiles of each round: what is left where other processes disturb fewer than so many releases. */
  readonly quietRatio: Spread
  /** Processes that ran or waited to run, in the mean of a minute, before and after. */
  readonly load: readonly [number, number]
}

type Rounds = { readonly loop: number[][]; readonly ours: number[][] }

export async function compareSpread(options: SpreadOptions): Promise<SpreadResult> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'bench-spread-'))
  try {
    await buildGo(options.go, directory)
    const bundle = await bundleScenario('spend-contention', directory)
    await using service = await startService()
    const rounds: Rounds = { loop: [], ours: [] }
    const loadBefore = loadNow()
    const release = { ...options, directory, port: service.port }
    // The first round warms up and is left out.
    for (let round = 0; round <= options.rounds; round++) {
      const loop = await measure(service, release, releaseByLoop)
      const ours = await measure(service, release, (it) => releaseByK6(options.k6, bundle, it))
      if (round === 0) continue
      rounds.loop.push(loop)
      rounds.ours.push(ours)
    }
    return { ...figuresOf(rounds), load: [loadBefore, loadNow()] }
  } finally {
    await rm(directory, { recursive: true })
  }
}

function loadNow(): number {
  return os.loadavg()[0] ?? 0
}

async function measure(
  receiver: Receiver,
  release: Release,
  carryOut: (release: Release) => Promise<void>,
): Promise<number[]> {
  await carryOut(release)
  return spreadsMs(await receiver.take(), release)
}

/** Purchases of one release are answered before the next one begins, so they follow each other in the list. */
function spreadsMs(timesUs: readonly number[], { width, releases }: Release): number[] {
  if (timesUs.length !== width * releases)
    throw new Error(`${timesUs.length} purchases arrived; expected ${width * releases}.`)
  return Array.from({ length: releases }, (_, release) => {
    const times = timesUs.slice(release * width, (release + 1) * width)
    return (Math.max(...times) - Math.min(...times)) / 1000
  })
}

function figuresOf({ loop, ours }: Rounds): Omit<SpreadResult, 'load'> {
  const ratioOf = (which: keyof Quartiles): Spread =>
    spreadOf(
      ours.map((round, at) => quartilesOf(round)[which] / quartilesOf(loop[at] ?? [])[which]),
    )
  return {
    loop: quartilesOf(loop.flat()),
    ours: quartilesOf(ours.flat()),
    ratio: ratioOf('median'),
    quietRatio: ratioOf('lower'),
  }
}
