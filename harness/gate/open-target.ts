import { usageError } from '../errors.ts'
import { startEmbedded } from '../test-server/embedded.ts'
import type { TargetFlags } from '../target-file/options.ts'
import { isTargetNamed, resolveTarget } from '../target-file/resolve.ts'
import type { Target } from '../target-file/target.ts'
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
  const { target: flags, faults, windowSeconds, image } = options
  if (image !== undefined) return openImage({ ...options, image }, env, onPhase)
  if (!isTargetNamed({ flags, env })) {
    refuseWithoutTarget(flags)
    onPhase('starts the embedded reference service')
    return startEmbedded({ faults, windowSeconds })
  }
  refuseFaults(faults)
  const { hazards, ...target } = resolveTarget({ flags, env, cwd: process.cwd() })
  const all = [...hazards, ...unchecked(target, env)]
  return { target, hazards: all, [Symbol.asyncDispose]: () => Promise.resolve() }
}

/** Node then takes any certificate, and says so on the terminal alone. */
function unchecked({ baseUrl }: Target, env: NodeJS.ProcessEnv): string[] {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0' || !baseUrl.startsWith('https:')) return []
  return [
    'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate was checked, so anybody on the way may have answered for the target.',
  ]
}

async function openImage(
  { image, target: flags, faults, windowSeconds }: RunOptions & { readonly image: string },
  env: NodeJS.ProcessEnv,
  onPhase: (text: string) => void,
): Promise<OpenedTarget> {
  if (isTargetNamed({ flags, env: {} }))
    throw usageError(
      '--image was given together with a target',
      'An image brings its own target file: leave out --target and --base-url, or start the container yourself and leave out --image.',
    )
  refuseFaults(faults)
  onPhase(`starts a container of ${image}`)
  // Only here, since most runs need no container: the library takes a while to load.
  const { startContainer } = await import('../test-server/container.ts')
  return startContainer({ image, flags, env, windowSeconds })
}

/** Whoever describes a target and forgets its address would get a pass of the embedded service. */
function refuseWithoutTarget(flags: TargetFlags): void {
  const given = Object.entries(flags).find(([, value]) => value !== undefined && value !== false)
  if (!given) return
  const [name] = given
  const option = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw usageError(
    `--${option.replace('capabilities', 'capability')} was given without a target`,
    'Name the target, too: --target FILE or --base-url URL. Or leave the option out: the embedded reference service does not take it.',
  )
}

function refuseFaults(faults: readonly string[]): void {
  if (faults.length === 0) return
  throw usageError(
    '--fault was given together with a target or an image',
    'Faults belong to the embedded reference service: leave out --target, --base-url and --image, or start it with npm run serve -- --fault NAME.',
  )
}
