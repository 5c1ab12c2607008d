import type { Statement } from '../shared/statements.ts'
import {
  CHECKS_SCRIPT,
  checksPurchasables,
  kindOfChecksScript,
  OTHER_AMOUNT,
  OTHER_PRODUCT_REFERENCE,
} from './spend-checks-script.ts'
import type { Purchasable, BurstContext, BurstPlan } from './burst-plan.ts'
import type { BurstExchange } from './burst-import.ts'
import { exchangesOf, type BurstRun } from './burst-result.ts'
import { isNamed } from './burst-proof.ts'
import { isThrottled, isAccepted } from '../../judge/answers.ts'

/** While checks are refused, before and after, each kind is bought all the same: one that is refused by 429 every time is held to their bucket. */
export function checksStatements(
  plan: BurstPlan,
  run: BurstRun,
  context: Pick<BurstContext, 'target' | 'accounts'>,
): Statement[] {
  const exchanges = exchangesOf(CHECKS_SCRIPT, plan, run)
  const checks = exchanges.filter(({ kind }) => kind === 'check')
  const [first, ...later] = checks.filter((each) => !isOther(each))
  const isSpent = later.length > 1 && later.every(({ status }) => status === 429)
  if (first === undefined || first.status >= 300 || !isSpent) return []
  return [...otherStatements(checks), ...purchaseStatements(exchanges, checksPurchasables(context))]
}

/** Checks of another amount or product, between refused ones. */
function otherStatements(checks: readonly BurstExchange[]): Statement[] {
  return checks.filter(isOther).flatMap((each): Statement[] => {
    const { status, reference } = each
    // A silent provider was asked all the same; what is not valid may be refused before it is counted.
    const isAsked = isAccepted({ status }) || status === 504
    if (!isAsked && status !== 429) return []
    const what = reference === OTHER_PRODUCT_REFERENCE ? 'product' : 'amount'
    const observed = `${CHECKS_SCRIPT}: a check of another ${what} was answered by HTTP ${status}`
    return [{ requirement: 'RATE-18', verdict: status === 429 ? 'pass' : 'fail', observed }]
  })
}

function isOther({ units, reference }: BurstExchange): boolean {
  return units === OTHER_AMOUNT || reference === OTHER_PRODUCT_REFERENCE
}

function purchaseStatements(
  exchanges: readonly BurstExchange[],
  purchasables: readonly Purchasable[],
): Statement[] {
  const kinds = Map.groupBy(
    exchanges.filter(({ kind }) => kind === 'buy'),
    ({ reference = -1 }) => kindOfChecksScript(reference, purchasables),
  )
  const blocked = [...kinds].filter(([, purchases]) => purchases.every(isThrottled))
  const names = blocked.map(([each]) => (each?.lines ? 'checkouts' : `orders of ${each?.kind}`))
  const bought = [...kinds.values()].flat().filter(isNamed).length
  const observed = `${CHECKS_SCRIPT}: ${bought} purchases were accepted while checks were refused`
  if (blocked.length > 0)
    return [
      {
        requirement: 'RATE-24',
        verdict: 'fail',
        observed: `${observed}, and all ${names.join(' and ')} were refused by 429`,
      },
    ]
  return bought > 0 ? [{ requirement: 'RATE-24', verdict: 'pass', observed }] : []
}
