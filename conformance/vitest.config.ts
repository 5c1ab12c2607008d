import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** One file in one thread: checks share a client and a quota ledger, and overlap inside it. */
export default defineConfig({
  test: {
    root: path.dirname(import.meta.dirname),
    // As a package, the suite is compiled and lies below node_modules.
    include: [`conformance/suite${path.extname(import.meta.filename)}`],
    exclude: [],
    pool: 'threads',
    // Node loads our modules as they are: starting takes half the time, and nothing is written beside them.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    fsModuleCache: false,
    maxWorkers: 1,
    isolate: false,
    retry: 0,
    allowOnly: false,
    passWithNoTests: false,
    maxConcurrency: 1_000,
    testTimeout: 30 * 60_000,
    teardownTimeout: 5_000,
  },
})
