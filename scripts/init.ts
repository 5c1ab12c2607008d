import { INIT_PAGE } from '../harness/init/page.ts'
import { command } from './command.ts'

await command(INIT_PAGE, async ({ argv, env, streams }) => {
  const { initCommand } = await import('../harness/init/command.ts')
  const { worthOf } = await import('../conformance/worth.ts')
  return initCommand(argv, env, streams, worthOf)
})
