import { spawn, type ChildProcess } from 'node:child_process'
import { childEnvironment } from './child-environment.ts'

/** Its standard input ends with this process. The program may have ended a moment before. */
const GUARD = `
process.stdin.resume().on('end', () => {
  try {
    process.kill(Number(process.argv[1]), 'SIGKILL')
  } catch {}
})`

/**
 * Ends a program that we started if this process is killed, because nobody could read its results any more. A small process does so:
 * that works on every platform. Dispose of it when the program has ended. If it cannot start, the program does not run either.
 */
export function endWithUs(program: ChildProcess): Disposable | undefined {
  if (program.pid === undefined) return undefined
  const guard = spawn(process.execPath, ['-e', GUARD, String(program.pid)], {
    env: childEnvironment(process.env),
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C reaches the whole process group of the terminal, and the guard must outlive us.
    detached: true,
    windowsHide: true,
  })
  guard.once('error', () => program.kill('SIGKILL'))
  guard.unref()
  return { [Symbol.dispose]: () => void guard.kill('SIGKILL') }
}
