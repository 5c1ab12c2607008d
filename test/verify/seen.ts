/** What `verify` saw, as data, held to its bounds. */
import { expect } from 'vitest'
import { verifyCommand } from '../../harness/verify/command.ts'
import type { Layer, State } from '../../harness/verify/layer.ts'
import type { Verification } from '../../harness/verify/verify.ts'
import { look } from './looking.ts'

const REQUESTS_MAX = 40

export type Seen = Required<Verification> & { readonly exitCode: number; readonly text: string }

export async function seen(argv: readonly string[], env: Record<string, string>): Promise<Seen> {
  const { code, out } = await look(verifyCommand, [...argv, '--json'], env)
  const told = JSON.parse(out) as Required<Verification> & { exitCode: number }
  expect(told.exitCode).toBe(code)
  expect(told.requests).toBeLessThan(REQUESTS_MAX)
  for (const secret of Object.values(env))
    if (secret.includes('demo')) expect(out).not.toContain(secret)
  return { ...told, text: out }
}

export function layer({ layers }: Verification, name: string): Layer {
  const found = layers.find((each) => each.name === name)
  expect(found, name).toBeDefined()
  return found as Layer
}

export function statesOf({ layers }: Verification, ...states: readonly State[]): string[] {
  return layers.filter(({ state }) => states.includes(state)).map(({ name }) => name)
}
