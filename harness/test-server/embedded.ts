/**
 * The embedded target: the reference service in this process. The one place of the harness that knows it, and only to start it; what
 * it is like is read from its target file, as with any server.
 */
import { quoteLifetimeMs } from '../../reference/model/gift-quotes.ts'
import { createService, type Service, type ServiceOptions } from '../../reference/service.ts'
import { isFaultName, FAULT_NAMES } from '../../reference/faults/faults.ts'
import { FORMER_FAULTS } from '../../reference/faults/former-names.ts'
import { paced, type Pace } from '../../reference/paced.ts'
import { listen } from '../../reference/server.ts'
import { targetFile, type TargetFileOptions } from '../../reference/target.ts'
import type { Clock } from '../clock.ts'
import { usageError } from '../errors.ts'
import { didYouMean } from '../nearest.ts'
import { resolveDocument } from '../target-file/resolve-document.ts'
import { shortLimits } from './short-limits.ts'
import type { Target } from '../target-file/target.ts'

export type EmbeddedOptions = {
  /** Named faults to switch on. */
  readonly faults: readonly string[]
  /** All windows have this length; 60 keeps the interface's defaults. */
  readonly windowSeconds: number
  /** Choices of the service's own, for tests that vary them. */
  readonly service?: ServiceOptions
  /** So many requests at once, each for so long: a service whose capacity is known. */
  readonly pace?: Pace
}

export type EmbeddedTarget = AsyncDisposable & {
  readonly target: Target
  readonly hazards: readonly string[]
}

/** Starts the reference service with its control side on loopback, on free ports. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedTarget> {
  const { pace } = options
  const service = pace ? paced(serviceOf(options), pace) : serviceOf(options)
  const server = await listen(service, { controlPort: 0 })
  try {
    return {
      target: targetOf(server.baseUrl, server.controlBaseUrl, options),
      hazards:
        options.faults.length === 0
          ? []
          : [
              `The embedded reference service was judged with these faults switched on: ${options.faults.join(', ')}.`,
            ],
      [Symbol.asyncDispose]: () => server.close(),
    }
  } catch (cause) {
    // Nobody else closes it, and it would keep the process alive.
    await server.close()
    throw cause
  }
}

/** What to say in the place of a fault that does not exist. */
function instead(fault: string): string {
  const list = 'List them with: npm run serve -- --list-faults'
  const now = FORMER_FAULTS[fault]
  if (now === undefined) return didYouMean(fault, FAULT_NAMES, list)
  return now.length > 0
    ? `It was taken out. These break the same requirement: ${now.join(', ')}.`
    : `It was taken out: the interface permits what it did. ${list}`
}

/** Throws E_USAGE for a fault that the service does not have. */
export function serviceOf(
  { faults, windowSeconds, service }: EmbeddedOptions,
  clock?: Clock,
): Service {
  const unknown = faults.find((fault) => !isFaultName(fault))
  if (unknown !== undefined)
    throw usageError(`the reference service has no fault "${unknown}"`, instead(unknown))
  return createService({
    faults: faults.filter(isFaultName),
    limits: shortLimits(windowSeconds),
    ...(clock ? { clock } : {}),
    ...service,
  })
}

/** Resolved like any target file. Its credentials are left out: fresh accounts take their place. */
export function targetOf(
  baseUrl: string,
  controlBaseUrl: string | undefined,
  { faults, service = {}, windowSeconds }: EmbeddedOptions,
): Target {
  const { credentials: _demo, ...file } = targetFile(
    baseUrl,
    controlBaseUrl,
    declaredBy(service, windowSeconds),
  ) as Record<string, unknown>
  const { hazards: _none, ...resolved } = resolveDocument(file, { name: 'embedded' })
  return { ...resolved, kind: 'embedded', faults }
}

/** A run with windows as long as these has time for a quote to expire. */
const PATIENT_SECONDS = 60

/** What a target file says of the choices that a test made for the service. */
function declaredBy(
  { platformGift, asyncCompletionMs, variants, limits }: ServiceOptions,
  windowSeconds: number,
): TargetFileOptions {
  return {
    limits: limits ?? shortLimits(windowSeconds),
    ...(windowSeconds >= PATIENT_SECONDS && {
      quoteSeconds: quoteLifetimeMs(new Set(variants)) / 1000,
    }),
    ...(variants === undefined ? {} : { variants }),
    ...(platformGift === undefined ? {} : { platformGift }),
    ...(asyncCompletionMs === undefined ? {} : { asyncCompletionMs }),
  }
}
