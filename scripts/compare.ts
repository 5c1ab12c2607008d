/** `npm run compare`: what is newly broken, mended, still broken and newly undecided in the later of two runs. */
import { command } from './command.ts'
import { COMPARE_PAGE } from './pages.ts'

await command(COMPARE_PAGE, async ({ argv, streams }) => {
  const { compare } = await import('./compare-main.ts')
  return await compare(argv, streams.out)
})
