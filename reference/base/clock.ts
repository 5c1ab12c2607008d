import { setTimeout as timeout } from 'node:timers/promises'
import type { ServiceClock } from './types.ts'

/** The clock of a service that runs on real time. */
export const realClock: ServiceClock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  sleep: async (ms) => {
    if (ms > 0) await timeout(ms)
  },
}
