import {
  DEFAULT_LIMITS,
  OWN_LIMITS,
  type LimitName,
  type WindowLimit,
} from '../../contract/limits.ts'
import { shortLimits } from '../../harness/test-server/short-limits.ts'

/** Every limit of the embedded service, as a target file would state them, those of single endpoints too. */
export function statedLimits(windowSeconds: number): Partial<Record<LimitName, WindowLimit>> {
  const stated = { ...DEFAULT_LIMITS, ...shortLimits(windowSeconds) }
  return { ...stated, ...Object.fromEntries(OWN_LIMITS.map((name) => [name, stated.default])) }
}
