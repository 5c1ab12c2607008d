import type { Role } from '../../contract/capabilities.ts'
import type { RequirementId } from '../../contract/requirements/index.ts'
import { check, type CheckContext, type CheckDefinition } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { succeeded } from '../orders/steps.ts'

const OPERATIONS = ['getBalance', 'getLedger'] as const
type Operation = (typeof OPERATIONS)[number]

/** Judges those of the two operations whose path the target file gives; the requirement stays open where one is missing. */
async function forBoth(
  { target }: CheckContext,
  judge: (operation: Operation) => Promise<void>,
): Promise<void> {
  const [known, missing] = [true, false].map((wanted) =>
    OPERATIONS.filter((operation) => (target.operations[operation].path !== undefined) === wanted),
  )
  for (const operation of known ?? []) await judge(operation)
  if (missing && missing.length > 0)
    untested(missing.map((operation) => `no path operations.${operation}.path`).join('; '))
}

export const opens = check({
  id: 'funds.scope-opens',
  title: 'funds:read opens balances and the ledger',
  requirements: ['SCOPE-11'],
  needs: { capabilities: ['funds'], roles: ['funds'] },
  run: (context) =>
    forBoth(context, async (operation) => {
      const exchange = await context.api.as('funds').send(operation, {})
      context.expect('SCOPE-11').that(`${operation} answers a key with funds:read alone`, {
        holds: succeeded(exchange),
        expected: 'HTTP 200, or another success',
        observed: showAnswer(exchange),
        exchanges: [exchange],
      })
    }),
})

function deniedTo(role: Role, requirement: RequirementId, title: string): CheckDefinition {
  return check({
    id: `funds.scopes-${role}`,
    title,
    requirements: [requirement],
    needs: { capabilities: ['funds'], roles: ['funds', role] },
    run: (context) =>
      forBoth(context, async (operation) => {
        needSuccess(await context.api.as('funds').send(operation, {}))
        context.expect(requirement).status(await context.api.as(role).send(operation, {}), 403)
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
