/** Who notes the arrivals of purchases: a service, when it has read each. */
import { startChild } from './child.ts'

export type Receiver = AsyncDisposable & {
  readonly port: number
  /** The arrivals since it was last asked, microseconds, in their order. */
  take(): Promise<readonly number[]>
}

/** Rejects when its process ends instead. */
export async function startService(): Promise<Receiver> {
  const child = startChild('spread-service-child.ts')
  const { port } = await child.next<{ port: number }>()
  return {
    port,
    take: () => child.ask<readonly number[]>({}),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
