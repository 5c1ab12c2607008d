import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'

/**
 * Carries tasks out in as many threads as there are cores: each thread gets its next task when it has handed over the last result,
 * so that none ends long before the others.
 */
export async function inThreads<Result>(
  tasks: readonly unknown[],
  startThread: () => Worker,
  onResult: (result: Result) => void,
): Promise<Result[]> {
  const waiting = tasks.values()
  const results: Result[] = []
  const carryOut = async (): Promise<void> => {
    const worker = startThread()
    const end = once(worker, 'exit').then(([code]) => {
      throw new Error(`a thread ended with ${code}`)
    })
    end.catch(() => undefined)
    try {
      for (const task of waiting) {
        worker.postMessage(task)
        const [result] = (await Promise.race([once(worker, 'message'), end])) as [Result]
        results.push(result)
        onResult(result)
      }
    } finally {
      await worker.terminate()
    }
  }
  const threads = Math.min(availableParallelism(), tasks.length)
  await Promise.all(Array.from({ length: threads }, carryOut))
  return results
}

/** In the thread: carries out each task that it gets, and posts the result. What fails ends the thread, and `inThreads` rejects. */
export function answerTasks(carryOut: (task: never) => Promise<unknown>): void {
  parentPort?.on('message', (task: unknown) => {
    void carryOut(task as never).then((result) => parentPort?.postMessage(result))
  })
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
