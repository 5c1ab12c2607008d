import { VERIFY_HELP } from '../harness/verify/help.ts'
import { command } from './command.ts'

await command(VERIFY_HELP, async ({ argv, env, streams, version }) => {
  const { verifyCommand } = await import('../harness/verify/command.ts')
  return verifyCommand(argv, env, streams, version)
})
