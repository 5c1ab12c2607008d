/** Probes of the hundred that other tests hold, and those that none does, with the reason. */
export const ELSEWHERE: Readonly<Record<string, readonly number[]>> = {
  'test/verdict/configuration.test.ts': [14, 19],
  'test/verdict/environment.test.ts': [23, 50, 62],
  'test/verdict/mistakes-any-json.test.ts': [32],
  'test/report/sample-record.test.ts': [45],
  'test/verdict/baseline.test.ts': [68],
  'harness/baseline/compare.test.ts': [69, 70],
  'harness/baseline/read.test.ts': [71, 72],
  'harness/load/k6/collect.test.ts': [66, 67],
  'test/network/command-line.test.ts': [53],
  'harness/gate/open-target.test.ts': [54],
  'reference/server.test.ts': [99],
  'test/verdict/purchases.test.ts': [77, 78, 79, 81, 82, 83],
  'test/verdict/spend-bound.test.ts': [80],
  'test/verdict/interruption.test.ts': [84, 85, 86, 87, 88],
  'harness/gate/last-failed.test.ts': [94],
  'test/canary/canary.test.ts': [97],
  'harness/target-file/select.test.ts': [100],
}

/** Not repeated by any test. */
export const NOT_HELD: Readonly<Record<number, string>> = {
  28: 'the whole suite against a server that says yes: minutes of real windows; probe 16 is its short form',
  29: 'as 28, with a richer answer',
  48: 'right for 40 requests, then 429: minutes of real windows',
  59: 'GET /rate-limits at 500: windows of a minute; that it is assumed then is held in harness/quota',
  65: 'a real k6 that is killed half way: its time is not certain',
  75: 'evidence in which a 429 was made a 200: k6 signs nothing, so that it is not seen',
  89: 'SIGKILL: nobody can tidy up after it',
  93: 'two runs at once under one directory: every test of this folder runs beside others',
  96: 'an address space of 2 GB: V8 ends before our code begins',
  98: 'what other processes see of ours: by hand',
}
