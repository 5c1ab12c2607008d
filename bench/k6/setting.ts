/** What the orchestrator of the benchmark tells its scripts. */
export type BenchSetting = {
  readonly url: string
  readonly key: string
  readonly requests: number
  readonly virtualUsers: number
}

export const BENCH_ENV = 'BENCH_SETTING'

export function readSetting(): BenchSetting {
  const text = __ENV[BENCH_ENV]
  if (!text) throw new Error(`${BENCH_ENV} must hold the setting of the benchmark.`)
  return JSON.parse(text) as BenchSetting
}
