import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Deals tasks out to as many threads as there are cores, one after the other, and hands over what each task gives as it comes. */
export async function inThreads<Task, Result>(
  tasks: readonly Task[],
  startThread: (share: readonly Task[]) => Worker,
  onResult: (result: Result) => void,
): Promise<Result[]> {
  const threads = Math.min(availableParallelism(), tasks.length)
  const results: Result[] = []
  const carryOut = (thread: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = startThread(tasks.filter((_, index) => index % threads === thread))
      worker.on('message', (result: Result) => {
        results.push(result)
        onResult(result)
      })
      worker.on('error', reject)
      worker.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`)),
      )
    })
  await Promise.all(Array.from({ length: threads }, (_, thread) => carryOut(thread)))
  return results
}

/** Threads that keep the machine busy until they are disposed of. */
export function busyThreads(count: number): AsyncDisposable {
  const loops = Array.from({ length: count }, () => new Worker('for (;;);', { eval: true }))
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(loops.map((loop) => loop.terminate()))
    },
  }
}
