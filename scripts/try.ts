import { TRY_PAGE } from '../harness/try/page.ts'
import { command } from './command.ts'

await command(TRY_PAGE, async ({ argv, env, streams }) => {
  const { tryCommand } = await import('../harness/try/command.ts')
  return tryCommand(argv, env, streams)
})
