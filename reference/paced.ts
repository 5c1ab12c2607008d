/** A service of known size, for whoever measures capacity: so many requests are worked on at once, each for so long. */
import type { Service } from './service.ts'
import type { ServiceRequest, ServiceResponse } from './base/types.ts'

export type Pace = {
  /** Requests that are worked on at once; the others wait in the order in which they came. */
  readonly workers: number
  /** How long each is worked on. */
  readonly serviceMs: number
}

export type PacedService = Omit<Service, 'handle'> & {
  handle(request: ServiceRequest): Promise<ServiceResponse>
}

/** Requests per second that a paced service serves. */
export function capacityOf({ workers, serviceMs }: Pace): number {
  return (1000 * workers) / serviceMs
}

/**
 * The same service, at a pace. A worker begins when it is free by the clock, not when a timer fired: timers that fire late cost no
 * capacity. Throws a RangeError for a pace that serves nothing.
 */
export function paced(service: Service, { workers, serviceMs }: Pace): PacedService {
  if (!(Number.isInteger(workers) && workers >= 1 && serviceMs > 0))
    throw new RangeError(
      `Got a pace of ${workers} workers and ${serviceMs} ms; expected at least one worker and more than 0 ms.`,
    )
  const freeAtMs = Array.from({ length: workers }, () => 0)
  return {
    ...service,
    async handle(request) {
      const nowMs = performance.now()
      const worker = freeAtMs.indexOf(Math.min(...freeAtMs))
      const endMs = Math.max(nowMs, freeAtMs[worker] ?? 0) + serviceMs
      freeAtMs[worker] = endMs
      await new Promise((resolve) => setTimeout(resolve, endMs - nowMs))
      return service.handle(request)
    },
  }
}
