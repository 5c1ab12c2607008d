/** Probes of the hundred that other tests hold. */
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
  'test/hostile/whole-suite.test.ts': [28, 29, 48, 59],
  'test/hostile/at-once.test.ts': [89, 93, 96],
  // A 429 made a 200 is an answer that the service could have given: nobody can see that. As such it breaks the limit, which is red.
  'test/load/scenario-faults.test.ts': [75],
}
