/** Baselines and prepared runs that were changed after they were written. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { runHere } from '../../verdict/here.ts'
import type { Against, Row } from '../row.ts'
import { service } from '../servers.ts'

const SCENARIO = 'replay-storm'

/** A run that was prepared, with evidence that holds no exchange, changed by `change`. */
async function prepared(change: (directory: string) => Promise<void>): Promise<Against> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'hostile-prepared-'))
  const directory = path.join(home, 'run')
  const served = await service()
  await using _ = served
  const parameters = [...served.parameters, '--prepare', directory, '--scenario', SCENARIO]
  const { code, err } = await runHere('load', parameters)
  expect(code, err).toBe(0)
  const plan = JSON.parse(
    await readFile(path.join(directory, `${SCENARIO}.plan.json`), 'utf8'),
  ) as {
    run: string
  }
  const header = `i 1 ${plan.run} - 1795259174782000 4500\n`
  await writeFile(path.join(directory, 'x.evidence.txt'), header)
  await change(directory)
  return {
    parameters: ['--judge', directory],
    [Symbol.asyncDispose]: () => rm(home, { recursive: true }),
  }
}

const edited =
  (file: string, from: RegExp, to: string) =>
  async (directory: string): Promise<void> => {
    const place = path.join(directory, file)
    const text = await readFile(place, 'utf8')
    const changed = text.replace(from, to)
    expect(changed).not.toBe(text)
    await writeFile(place, changed)
  }

async function withoutEvidence(directory: string): Promise<void> {
  const names = await readdir(directory)
  const evidence = names.filter((name) => name.endsWith('.evidence.txt'))
  await Promise.all(evidence.map((name) => rm(path.join(directory, name))))
}

const judged = (
  probe: number,
  what: string,
  change: (directory: string) => Promise<void>,
  sentence: RegExp,
  exit = 2,
): Row => ({
  probes: [probe],
  what,
  against: () => prepared(change),
  command: 'load',
  exit,
  says: [sentence],
  record: 'none',
})

export const COMPARISON: readonly Row[] = [
  judged(73, 'a prepared run without evidence', withoutEvidence, /holds no evidence/),
  judged(73, 'evidence without an exchange', async () => {}, /without one exchange/, 4),
  judged(
    74,
    'a plan that was changed',
    edited(`${SCENARIO}.plan.json`, /"widest"/, '"wider"'),
    /replay-storm\.plan\.json was changed since it was prepared/,
  ),
  judged(
    76,
    'limits that were changed in what the evidence is judged by',
    edited(`${SCENARIO}.judge.json`, /"count": \d+/, '"count": 1'),
    /replay-storm\.judge\.json was changed since it was prepared/,
  ),
  judged(
    76,
    'an index that was changed to fit',
    edited('prepared.json', /"judgeSha256": "../, '"judgeSha256": "00'),
    /prepared\.json was changed since it was prepared/,
  ),
]
