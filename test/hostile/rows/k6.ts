/** k6s that are broken: whatever they leave, nothing of it is green. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { K6_VERSION } from '../../../harness/load/k6/k6-version.ts'
import { demoEnvironment } from '../../../reference/seed.ts'
import { k6AtHand } from '../../support/k6.ts'
import type { Against, Row } from '../row.ts'
import { service } from '../servers.ts'

/** A program that calls itself k6, and does `run` where k6 would run. `$EVIDENCE` is the file that k6 writes its evidence to. */
async function fakeK6(run: string): Promise<Against> {
  const served = await service()
  const home = await mkdtemp(path.join(os.tmpdir(), 'hostile-k6-'))
  const file = path.join(home, 'k6')
  const evidence =
    'for each; do case "$each" in --console-output=*) EVIDENCE="${each#*=}";; esac; done'
  await writeFile(
    file,
    `#!/bin/sh\n[ "$1" = version ] && { echo "k6 v${K6_VERSION} (go1.26)"; exit 0; }\n${evidence}\n${run}\n`,
  )
  await chmod(file, 0o755)
  return {
    parameters: served.parameters,
    env: { ...served.env, K6_BIN: file },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await rm(home, { recursive: true })
    },
  }
}

const broken = (probe: number, what: string, run: string, sentence: RegExp, log: RegExp): Row => ({
  probes: [probe],
  what,
  against: () => fakeK6(run),
  command: 'load',
  by: 'turn',
  parameters: ['--scenario', 'replay-storm'],
  exit: 4,
  says: [/Harness fault \(exit 4\) E_K6_FAILED/, sentence, /What k6 said lies in k6\.log/],
  record: { verdict: 'error' },
  also: async (ended) => {
    expect(await ended.file('k6.log')).toMatch(log)
  },
})

/** The real k6, killed as soon as it has evidence. */
const killed = (exit: number): Row => ({
  ...broken(
    65,
    `a k6 that is killed half way and ends with ${exit}`,
    `"${k6AtHand?.path}" "$@" & k6=$!
     while [ ! -s "$EVIDENCE" ] && kill -0 $k6; do sleep 0.02; done
     kill -9 $k6; wait $k6; exit ${exit}`,
    /Next: /,
    /./,
  ),
  lacks: k6AtHand ? undefined : 'there is no k6',
})

/** A k6 that writes down what it and the process that started it show to others. */
const looking = async (): Promise<Against> => {
  const against = await fakeK6(
    `for pid in $$ $PPID; do tr '\\0' '\\n' < /proc/$pid/cmdline; done > "$0.arguments"; env > "$0.environment"; exit 1`,
  )
  const file = against.env?.['K6_BIN'] ?? ''
  const seen = (kind: string): Promise<string> => readFile(`${file}.${kind}`, 'utf8')
  return { ...against, left: async () => [await seen('arguments'), await seen('environment')] }
}

export const K6S: readonly Row[] = [
  broken(63, 'a k6 that does nothing', 'exit 0', /evidence/, /k6 said nothing/),
  broken(
    63,
    'a k6 that ends with 107',
    'echo "panic: no memory" >&2; exit 107',
    /exit code 107.*panic: no memory/,
    /panic: no memory/,
  ),
  broken(
    64,
    'a k6 that leaves random bytes',
    'head -c 3000 /dev/urandom > "$EVIDENCE"; echo done; exit 0',
    /evidence/,
    /done/,
  ),
  broken(
    64,
    'a k6 that leaves JSON lines',
    'printf \'{"type":"Point"}\\n\' > "$EVIDENCE"; exit 0',
    /evidence/,
    /k6 said nothing/,
  ),
  killed(137),
  killed(0),
  {
    ...broken(98, 'keys in what other processes see', '', /exit code 1/, /./),
    against: looking,
    by: 'process',
    lacks: process.platform === 'linux' ? undefined : 'there is no /proc',
    also: async (_, __, { left }) => {
      const [shown = '', environment = ''] = (await left?.()) ?? []
      const keys = Object.values(demoEnvironment())
      expect(shown).toContain('replay-storm')
      expect(keys.filter((key) => shown.includes(key))).toEqual([])
      // The scenario needs its own alone.
      expect(keys.filter((key) => environment.includes(key)).length).toBeLessThan(keys.length / 2)
    },
  },
]
