import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './test/support/slowest-first.ts'

// The workers, and all that they start, store and find compiled modules in one place.
process.env['NODE_COMPILE_CACHE'] ??= path.join(
  import.meta.dirname,
  'node_modules',
  '.cache',
  'compiled',
)

/** The project's own tests. The conformance suite, which judges a target, has its own in conformance/start.ts. */
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
    // Node loads our modules as they are: hot code runs faster, and nothing is transformed. No test needs vi.mock.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Tests of the command line mostly wait for windows and child processes: more workers than cores keep the cores busy.
    maxWorkers: 5,
    sequence: { sequencer: SlowestFirst },
    maxConcurrency: 10,
    passWithNoTests: false,
    // These end what hangs. No test is timed: a busy machine takes many times as long, also to remove a folder of 20,000 files.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
