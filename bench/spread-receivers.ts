/** Who notes the arrivals of purchases: a service, when it has read each, or a recorder that asks the kernel. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

export type Receiver = AsyncDisposable & {
  readonly port: number
  /** The arrivals since it was last asked, microseconds, in their order. */
  take(): Promise<readonly number[]>
}

/** Rejects when its process ends instead. */
export async function startService(): Promise<Receiver> {
  const child = fork(path.join(import.meta.dirname, 'spread-service-child.ts'))
  const ended = once(child, 'exit')
  const next = async <T>(): Promise<T> => {
    const [told] = (await Promise.race([once(child, 'message'), ended.then(failed)])) as [T]
    return told
  }
  const { port } = await next<{ port: number }>()
  return {
    port,
    async take() {
      const told = next<readonly number[]>()
      child.send({})
      return told
    },
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await ended
    },
  }
}

/** Starts the recorder that bench/go/recorder was built to. */
export async function startRecorder(program: string): Promise<Receiver> {
  const child: ChildProcess = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('The recorder has no pipes.')
  const ended = once(child, 'exit')
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  const line = async (): Promise<string> => {
    const next = await lines.next()
    return next.done ? failed() : next.value
  }
  return {
    port: Number(await line()),
    async take() {
      stdin.write('\n')
      const times = JSON.parse(await line()) as readonly number[]
      // The kernel stamps what arrives before the recorder's goroutines have noted it, in whatever order.
      return times.toSorted((a, b) => a - b)
    },
    async [Symbol.asyncDispose]() {
      stdin.end()
      await ended
    },
  }
}

function failed(): never {
  throw new Error('The process that notes the arrivals ended.')
}
