/** The last resort: a container that still runs when this process ends (second Ctrl-C, crash) is removed by a child process. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type Removal = {
  /** From now on the container goes with this process. */
  readonly watch: (id: string) => void
  /** It is gone, there is nothing left to do. */
  readonly done: () => void
}

const REMOVER = fileURLToPath(new URL('./remove-container.ts', import.meta.url))
const TIMEOUT_MS = 10_000

export function removeAtExit(): Removal {
  let id: string | undefined
  const remove = (): void => {
    if (id === undefined) return
    const { status } = spawnSync(process.execPath, [REMOVER, id], { timeout: TIMEOUT_MS })
    if (status !== 0)
      process.stderr.write(
        `The container is left behind. Remove it with: docker rm --force ${id}\n`,
      )
  }
  process.once('exit', remove)
  return {
    watch: (created) => {
      id = created
    },
    done: () => {
      process.off('exit', remove)
    },
  }
}
