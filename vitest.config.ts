import { defineConfig } from 'vitest/config'

/** The project's own tests. The conformance suite, which judges a target, has a configuration of its own in conformance/. */
export default defineConfig({
  test: {
    include: [
      '{bench,contract,schemas,harness,conformance,load,reference,scripts,test}/**/*.test.ts',
    ],
    // Our commands leave more files and lines where CI runs them; a test that is about that says so itself.
    env: { CI: '', GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '' },
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
