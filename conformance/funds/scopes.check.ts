import type { Role } from '../../contract/capabilities.ts'
import { fundsOperations, needFundsOperations, type FundsOperation } from '../steps/funds.ts'
import { expectRefused } from '../steps/key-refused.ts'
import type { CheckContext, CheckDefinition, RequirementId } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import type { Claim } from '../engine/expectation.ts'

type Judged = { readonly statement: string; readonly claim: Claim }

/**
 * Judges balance and ledger. Where the target file gives the path of one only, the other can break the requirement, but alone it does
 * not fulfil it.
 */
async function judgeBoth(
  context: CheckContext,
  requirement: RequirementId,
  judge: (operation: FundsOperation) => Promise<Judged>,
): Promise<void> {
  const { known, missing } = fundsOperations(context)
  const judged: Judged[] = []
  for (const operation of known) judged.push(await judge(operation))
  if (missing.length > 0 && judged.every(({ claim }) => claim.holds))
    untested(missing.map((operation) => `no path operations.${operation}.path`).join('; '))
  for (const { statement, claim } of judged) context.expect(requirement).that(statement, claim)
}

export const opens = check({
  id: 'funds.scope-opens',
  title: 'funds:read opens balances and the ledger',
  requirements: ['SCOPE-11'],
  needs: { capabilities: ['funds'], roles: ['funds'] },
  run: (context) =>
    judgeBoth(context, 'SCOPE-11', async (operation) => {
      const exchange = await context.api.as('funds').send(operation, {})
      return {
        statement: `${operation} answers a key with funds:read alone`,
        claim: {
          holds: isAccepted(exchange),
          expected: 'HTTP 200, or another success',
          observed: showAnswer(exchange),
          exchanges: [exchange],
        },
      }
    }),
})

function deniedTo(role: Role, requirement: RequirementId, title: string): CheckDefinition {
  return check({
    id: `funds.scopes-${role}`,
    title,
    requirements: [requirement],
    needs: { capabilities: ['funds'], roles: ['funds', role] },
    run: (context) =>
      judgeBoth(context, requirement, async (operation) => {
        const control = needSuccess(await context.api.as('funds').send(operation, {}))
        const exchange = await context.api.as(role).send(operation, {})
        return {
          statement: `${operation} refuses a key of the role ${role}`,
          claim: {
            holds: exchange.response?.status === 403,
            expected: 'HTTP 403, where a key with funds:read succeeds',
            observed: showAnswer(exchange),
            exchanges: [control, exchange],
          },
        }
      }),
  })
}

export const browserReadsNoFunds = deniedTo(
  'browser',
  'SCOPE-06',
  'a key without funds:read reads neither balances nor the ledger',
)
export const fullReadsNoFunds = deniedTo(
  'full',
  'SCOPE-16',
  'all scopes of orders and products together do not include funds:read',
)

export const strangersReadNoFunds = check({
  id: 'funds.strangers',
  title: 'neither balances nor the ledger are shown without a key that was issued',
  requirements: ['AUTH-01', 'AUTH-02'],
  needs: { capabilities: ['funds'], roles: ['funds'] },
  run: async (context) => {
    const { api } = context
    for (const operation of needFundsOperations(context)) {
      needSuccess(await api.as('funds').send(operation, {}))
      expectRefused(context, 'AUTH-01', await api.as('none').send(operation, {}))
      expectRefused(context, 'AUTH-02', await api.as('invented').send(operation, {}))
    }
  },
})
