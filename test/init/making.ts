/** A target file that init made, and what it sent for it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { worthOf } from '../../conformance/worth.ts'
import { initCommand } from '../../harness/init/command.ts'
import { demoKey } from '../../reference/seed.ts'
import type { TargetFile } from '../../schemas/generated/target.ts'
import type { FrontedService } from '../verdict/servers.ts'
import { look, type Looked } from '../verify/looking.ts'

export const ENV = { ORDERING_KEY: demoKey('full') }

type Made = Looked &
  AsyncDisposable & {
    readonly out: string
    readonly path: string
    readonly file: () => Promise<TargetFile>
  }

function withWorth(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: Parameters<typeof initCommand>[2],
): Promise<number> {
  return initCommand(argv, env, streams, worthOf)
}

export async function init(
  baseUrl: string,
  more: readonly string[] = [],
  {
    env = ENV,
    ask,
  }: {
    env?: Record<string, string>
    ask?: (question: string) => Promise<string>
  } = {},
): Promise<Made> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'init-'))
  const place = path.join(home, 'made.target.json')
  const argv = ['--base-url', baseUrl, '--out', place, ...more]
  const looked = await look(withWorth, argv, env, ask)
  for (const secret of Object.values(env))
    if (secret.startsWith('ref_')) expect(looked.out).not.toContain(secret)
  return {
    ...looked,
    path: place,
    file: async () => JSON.parse(await readFile(place, 'utf8')) as TargetFile,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

/** Safe GETs alone, and fewer than forty. */
export function expectSafe({ seen }: FrontedService): void {
  expect(seen.length).toBeLessThan(40)
  expect(new Set(seen.map(({ request }) => request.method))).toEqual(new Set(['GET']))
}
