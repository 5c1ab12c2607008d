import { defineConfig } from 'vitest/config'

/** The project's own tests. The conformance suite, which judges a target, has a configuration of its own in conformance/. */
export default defineConfig({
  test: {
    include: [
      '{bench,contract,schemas,harness,conformance,load,reference,scripts,test}/**/*.test.ts',
    ],
    retry: 0,
    allowOnly: false,
    isolate: false,
    // Tests of the command line mostly wait for windows and child processes: more workers than cores keep the cores busy.
    maxWorkers: 4,
    maxConcurrency: 10,
    passWithNoTests: false,
    testTimeout: 20_000,
  },
})
