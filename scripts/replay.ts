import { REPLAY_HELP } from '../harness/replay/help.ts'
import { command } from './command.ts'

await command(REPLAY_HELP, async ({ argv, env, streams }) => {
  const { replayCommand } = await import('../harness/replay/command.ts')
  return replayCommand(argv, env, streams)
})
