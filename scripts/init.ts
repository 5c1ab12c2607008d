import { INIT_HELP } from '../harness/init/help.ts'
import { command } from './command.ts'

await command(INIT_HELP, async ({ argv, env, streams }) => {
  const { initCommand } = await import('../harness/init/command.ts')
  const { worthOf } = await import('../conformance/worth.ts')
  return initCommand(argv, env, streams, worthOf)
})
