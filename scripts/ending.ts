/** How every command ends: the exit code of what was thrown, and a reader who went away. */
import { inspect } from 'node:util'
import { asHarnessError } from '../harness/errors.ts'

/** Node's own exit code for an uncaught error is 1, which here would say that the target failed. */
export function endUnforeseen(cause: unknown): never {
  process.exit(report(cause))
}

/** `npm run gate | head`, a closed terminal, a full disk: nobody reads us any more. The record and the exit code still tell everything. */
export function ignoreLostReader(cause: NodeJS.ErrnoException): void {
  if (cause.syscall !== 'write') throw cause
}

/** Exit 2: nothing was sent. Everything unforeseen is a fault of the harness. */
export function report(cause: unknown): number {
  const { text, exitCode } = told(cause)
  console.error(text)
  return exitCode
}

/** What an error says on the terminal, and the exit code that it leads to. */
export function told(cause: unknown): { readonly text: string; readonly exitCode: number } {
  const error = asHarnessError(cause)
  const { code, message, nextStep, exitCode } = error
  if (code !== 'E_HARNESS' || error === cause)
    return { text: `${code}: ${message}\n${nextStep} Exit ${exitCode}.`, exitCode }
  const text = `${inspect(cause)}\nE_HARNESS: this is a fault of the harness; the verdict on the target is open. Exit 4.`
  return { text, exitCode }
}
