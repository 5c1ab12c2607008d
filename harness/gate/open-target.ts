import { HarnessError } from '../errors.ts'
import { startEmbedded } from '../target/embedded.ts'
import { isTargetNamed, resolveTarget } from '../target/resolve.ts'
import type { Target } from '../target/target.ts'
import type { RunOptions } from './options.ts'

export type OpenedTarget = AsyncDisposable & {
  readonly target: Target
  readonly hazards: readonly string[]
}

/** The target that the command line and the environment name, else the embedded reference service, started for this run. */
export async function openTarget(
  options: RunOptions,
  env: NodeJS.ProcessEnv,
  onPhase: (text: string) => void,
): Promise<OpenedTarget> {
  const { target: flags, faults, windowSeconds } = options
  if (!isTargetNamed({ flags, env })) {
    onPhase('starts the embedded reference service')
    return startEmbedded({ faults, windowSeconds })
  }
  if (faults.length > 0)
    throw new HarnessError(
      'E_USAGE',
      '--fault was given together with a target',
      'Faults belong to the embedded reference service: leave out --target and --base-url, or start it with npm run serve -- --fault NAME.',
    )
  const { hazards, ...target } = resolveTarget({ flags, env, cwd: process.cwd() })
  return { target, hazards, [Symbol.asyncDispose]: () => Promise.resolve() }
}
