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

/** Starts a server; rejects when its process ends instead. */
export async function startServer(options: Start): Promise<MeasuredServer> {
  const child = fork(path.join(import.meta.dirname, 'server-child.ts'))
  const ended = once(child, 'exit')
  const died = ended.then(([code]) => {
    throw new Error(`The process of the ${options.kind} server ended with ${String(code)}.`)
  })
  const ask = async <T>(message: object): Promise<T> => {
    const reply = once(child, 'message')
    child.send(message)
    const [answer] = (await Promise.race([reply, died])) as [T]
    return answer
  }
  const started = await ask<Started>(options)
  return {
    ...started,
    usage: () => ask<Usage>({}),
    [Symbol.asyncDispose]: async () => {
      died.catch(() => undefined)
      child.disconnect()
      await ended
    },
  }
}

/** Runs a module of this folder in a process of its own until it ends, and hands over what it tells. */
export async function runChild(
  module: string,
  args: readonly string[],
  execArgv: readonly string[],
  onTold: (told: unknown) => void,
): Promise<void> {
  const child = fork(path.join(import.meta.dirname, module), [...args], { execArgv: [...execArgv] })
  child.on('message', (told) => onTold(told))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${module} ended with ${String(code)}.`)
}
