/** The last resort: a container that still runs when this process ends (second Ctrl-C, crash) is removed by a child process. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

export type Removal = {
  /** From now on the container goes with this process. */
  readonly watch: (id: string) => void
  /** It is gone, there is nothing left to do. */
  readonly done: () => void
}

/** `.js` in the package, where all is compiled. */
const SUFFIX = path.extname(import.meta.filename)
const REMOVER = path.join(import.meta.dirname, `remove-container${SUFFIX}`)
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
