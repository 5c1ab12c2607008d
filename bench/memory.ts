/** Memory over many orders: bounded by the orders that are kept (`ordersMax`), whatever the number that was created. */
import { runChild } from './child.ts'

export type MemorySample = {
  readonly created: number
  /** Kept: the oldest finished ones are forgotten, with their references. */
  readonly orders: number
  /** Windows that still run, and ended ones that no sweep has dropped yet. */
  readonly counters: number
  /** After a garbage collection. */
  readonly heapBytes: number
  /** Typed arrays, which lie outside of the heap. */
  readonly arrayBytes: number
}

export async function measureMemory(
  orders: number,
  onSample: (sample: MemorySample) => void,
): Promise<readonly MemorySample[]> {
  const samples: MemorySample[] = []
  await runChild('memory-child.ts', [String(orders)], ['--expose-gc'], (told) => {
    const sample = told as MemorySample
    samples.push(sample)
    onSample(sample)
  })
  return samples
}
