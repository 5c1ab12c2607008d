/** Which test files a busy machine can turn red. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)

/** Processes, sockets, threads, timers and clocks of the machine, also by way of a package: a browser, a thread of its own, esbuild. */
const REAL =
  /'node:(?:child_process|http|https|net|tls|worker_threads|timers\/promises)'|'(?:undici|playwright-core|xmllint-wasm)'|k6\/bundle\.ts|reference\/server\.ts'|\bstart(?:Embedded|Container)\b|\bRealClock\b|\bsetTimeout\(|\bperformance\.now\(|\bDate\.now\(/

/** Folders whose files only tests and benches use; what else a test imports is judged by how the test uses it. */
const HELPERS = ['test', 'bench'].map((folder) => path.join(ROOT, folder) + path.sep)

/** Whether a test uses such a thing, itself or by a helper of tests. `seen`: files that need no second look. */
export function dependsOnReality(file: string, seen = new Set<string>()): boolean {
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (REAL.test(text)) return true
  const imported = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, name = '']) =>
    path.resolve(path.dirname(file), name),
  )
  return imported.some(
    (each) =>
      !seen.has(each) &&
      HELPERS.some((folder) => each.startsWith(folder)) &&
      dependsOnReality(each, seen),
  )
}
