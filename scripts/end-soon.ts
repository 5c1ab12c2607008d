/** After the end, for what is still to be closed. */
const PATIENCE_MS = 5_000

/** A job that waits for us must not wait for a socket that nobody closed. The timer itself keeps nothing open. */
export function endSoon(): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ')
    console.error(
      `Still open ${PATIENCE_MS / 1000} s after the end: ${open}. The process ends anyway.`,
    )
    process.exit()
  }, PATIENCE_MS).unref()
}
