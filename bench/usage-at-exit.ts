/** Preloaded into a program under measurement: as it ends it writes down what it used. */
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

export const USAGE_FILE = 'BENCH_USAGE_FILE'

export type ProgramUsage = {
  /** User and system time of all its threads. */
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly maxRssBytes: number
  readonly exitCode: number
}

const file = process.env[USAGE_FILE]
if (isMainThread && file !== undefined)
  process.on('exit', (exitCode) => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    const usage: ProgramUsage = {
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      wallSeconds: process.uptime(),
      maxRssBytes: maxRSS * 1024,
      exitCode,
    }
    writeFileSync(file, JSON.stringify(usage))
  })
