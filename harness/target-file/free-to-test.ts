import { isLoopback } from '../network/loopback.ts'
import type { Target } from './target.ts'

/**
 * Why a target may be bought from and loaded without asking; undefined where it may not. What is declared beats where it is: behind a
 * port of this machine may stand a tunnel to production.
 */
export function whyFreeToTest({
  baseUrl,
  environment,
  origins,
}: Pick<Target, 'baseUrl' | 'environment' | 'origins'>): string | undefined {
  if (environment === 'sandbox') return 'the target is declared a sandbox'
  const isDeclared = origins['environment'] !== undefined && origins['environment'] !== 'default'
  return isLoopback(baseUrl) && !isDeclared ? 'the target is on loopback' : undefined
}
