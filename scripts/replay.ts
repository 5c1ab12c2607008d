import { REPLAY_PAGE } from '../harness/replay/page.ts'
import { command } from './command.ts'

await command(REPLAY_PAGE, async ({ argv, env, streams }) => {
  const { replayCommand } = await import('../harness/replay/command.ts')
  return replayCommand(argv, env, streams)
})
