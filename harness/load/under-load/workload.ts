import { HarnessError } from '../../errors.ts'
import { didYouMean } from '../../nearest.ts'
import { OPEN_MODELS } from '../open-model/scenarios.ts'
import type { Mix } from '../open-model/plan.ts'

/** What other accounts do while the checks run: the open-model scenarios, and orders alone. */
export const UNDER_LOAD_MIXES = {
  browse: OPEN_MODELS.browse.mix,
  orders: [{ kind: 'orderer', weight: 1 }],
  polling: OPEN_MODELS.polling.mix,
  checkout: OPEN_MODELS.checkout.mix,
  mixed: OPEN_MODELS.mixed.mix,
} as const satisfies Record<string, Mix>

export type UnderLoadName = keyof typeof UNDER_LOAD_MIXES

/** What --under-load asks for. */
export type UnderLoadChoice = {
  readonly name: UnderLoadName
  /** Clients that start each second. Left out: as many as the windows of the accounts admit by half, and few. */
  readonly ratePerSecond?: number
}

const FORM = /^([a-z]+)(?::(\d{1,4}(?:\.\d{1,2})?)(?:\/s)?)?$/
const RATE_MAX = 1000

/** Reads `mixed` or `mixed:20/s`. Throws E_USAGE. */
export function parseUnderLoad(text: string): UnderLoadChoice {
  const names = Object.keys(UNDER_LOAD_MIXES)
  const [, word = text, rate] = FORM.exec(text) ?? []
  const name = names.find((each) => each === word) as UnderLoadName | undefined
  const ratePerSecond = rate === undefined ? undefined : Number(rate)
  if (!name)
    throw usage(
      text,
      didYouMean(word, names, `Choose from ${names.join(', ')}, for example mixed:20/s.`),
    )
  if (ratePerSecond === undefined) return { name }
  if (ratePerSecond > 0 && ratePerSecond <= RATE_MAX) return { name, ratePerSecond }
  throw usage(text, `Give a rate above 0 and up to ${RATE_MAX} clients a second.`)
}

function usage(text: string, nextStep: string): HarnessError {
  return new HarnessError(
    'E_USAGE',
    `--under-load was "${text}", a workload with or without its rate was expected, such as mixed:20/s`,
    nextStep,
  )
}
