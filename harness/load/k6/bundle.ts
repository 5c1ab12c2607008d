import { extname, join } from 'node:path'
import { childEnvironment } from '../../child-environment.ts'
import { selectScenarios, UNDER_LOAD, type K6Script } from '../shared/scenarios.ts'

const SCENARIO_DIRECTORY = join(import.meta.dirname, '..', '..', '..', 'load', 'scenarios')
/** `.js` in the package, where all is compiled. */
const SUFFIX = extname(import.meta.filename)

/** Bundles one scenario for k6 into `directory` and returns the path. */
export async function bundleScenario(name: string, directory: string): Promise<string> {
  const [scenario] = name === UNDER_LOAD ? [] : selectScenarios([name])
  const script: K6Script = scenario?.script ?? 'open-model'
  const outfile = join(directory, `${name}.bundle.js`)
  await bundleEntry(join(SCENARIO_DIRECTORY, `${script}.k6${SUFFIX}`), outfile)
  return outfile
}

/** Bundles any script for k6. Its runtime lacks async generators; names stay as they are, so that its stack traces point to the source. */
export async function bundleEntry(entry: string, outfile: string): Promise<void> {
  const { build } = await import('esbuild')
  await withoutKeys(() =>
    build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      supported: { 'async-generator': false, 'for-await': false },
      external: ['k6', 'k6/*'],
      sourcemap: 'inline',
      logLevel: 'silent',
    }),
  )
}

/** esbuild is a process that inherits the environment of the moment in which it is called first, and stays. */
function withoutKeys<T>(call: () => T): T {
  const whole = process.env
  process.env = childEnvironment(whole)
  try {
    return call()
  } finally {
    process.env = whole
  }
}
