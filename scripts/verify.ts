import { VERIFY_PAGE } from '../harness/verify/page.ts'
import { command } from './command.ts'

await command(VERIFY_PAGE, async ({ argv, env, streams, version }) => {
  const { verifyCommand } = await import('../harness/verify/command.ts')
  return verifyCommand(argv, env, streams, version)
})
