import { defineConfig } from 'vitest/config'

/** The project's own tests. The conformance suite, which judges a target, has a configuration of its own in conformance/. */
export default defineConfig({
  test: {
    include: ['{contract,schemas,harness,conformance,load,reference,scripts,test}/**/*.test.ts'],
    retry: 0,
    allowOnly: false,
    isolate: false,
    passWithNoTests: false,
    testTimeout: 20_000,
  },
})
