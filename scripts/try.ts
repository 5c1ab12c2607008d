import { TRY_HELP } from '../harness/try/help.ts'
import { command } from './command.ts'

await command(TRY_HELP, async ({ argv, env, streams }) => {
  const { tryCommand } = await import('../harness/try/command.ts')
  return tryCommand(argv, env, streams)
})
