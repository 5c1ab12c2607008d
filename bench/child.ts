/** The parent's side of a process under measurement. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Start, Started } from './server-child.ts'
import type { Usage } from './usage.ts'

export type MeasuredServer = Started &
  AsyncDisposable & {
    /** What the process has used so far. */
    usage(): Promise<Usage>
  }

export type MeasuredChild = AsyncDisposable & {
  /** Sends a message and gives the answer; rejects when the process ends instead. */
  ask<Answer>(message: object): Promise<Answer>
  /** What it tells next. */
  next<Told>(): Promise<Told>
}

/** Starts a module of this folder in a process of its own, which ends when it is disposed of. */
export function startChild(module: string): MeasuredChild {
  const child = fork(path.join(import.meta.dirname, module))
  const ended = once(child, 'exit')
  const died = ended.then(([code]) => {
    throw new Error(`${module} ended with ${String(code)}.`)
  })
  const next = async <Told>(): Promise<Told> => {
    const [told] = (await Promise.race([once(child, 'message'), died])) as [Told]
    return told
  }
  return {
    next,
    ask: <Answer>(message: object) => {
      const answer = next<Answer>()
      child.send(message)
      return answer
    },
    [Symbol.asyncDispose]: async () => {
      died.catch(() => undefined)
      child.disconnect()
      await ended
    },
  }
}

/** Starts a server; rejects when its process ends instead. */
export async function startServer(options: Start): Promise<MeasuredServer> {
  const child = startChild('server-child.ts')
  const started = await child.ask<Started>(options)
  return {
    ...started,
    usage: () => child.ask<Usage>({}),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

/** Runs a module of this folder in a process of its own until it ends, and hands over what it tells. */
export async function runChild(
  module: string,
  args: readonly string[],
  onTold: (told: unknown) => void,
): Promise<void> {
  const child = fork(path.join(import.meta.dirname, module), [...args])
  child.on('message', (told) => onTold(told))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${module} ended with ${String(code)}.`)
}
