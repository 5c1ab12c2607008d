/** `npm run probes`: the hundred probes of test/hostile, wherever a test holds them, and nothing else. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { OTHER_FILES, OTHER_TITLES } from '../test/hostile/elsewhere.ts'
import { command } from './command.ts'
import { PROBES_PAGE } from './developer-pages.ts'

await command(PROBES_PAGE, async () => {
  const startedMs = performance.now()
  const codes = [
    await vitest('test/hostile'),
    await vitest(...OTHER_FILES, '--testNamePattern', OTHER_TITLES),
  ]
  const isWell = codes.every((code) => code === 0)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  console.log(
    `${isWell ? 'All probes end as they have to' : 'A probe does not end as it has to'}: ${seconds} s`,
  )
  return isWell ? 0 : 1
})

async function vitest(...parameters: readonly string[]): Promise<number | null> {
  const child = spawn('vitest', ['run', '--reporter=dot', ...parameters], { stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}
