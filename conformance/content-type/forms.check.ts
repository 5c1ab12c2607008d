import { HEADER } from '../../contract/wire.ts'
import { FORMS, needsOf, triedForms, type Form, type Forms, type Tried } from '../steps/requests.ts'
import type { CallOptions, CheckContext, CheckDefinition, RequirementId } from '../engine/kit.ts'
import { check, untested } from '../engine/kit.ts'

const BODY_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH']

type Unfit = {
  readonly what: string
  readonly requirement: RequirementId
  readonly options: CallOptions
}

const TEXT = { headers: { [HEADER.contentType]: 'text/plain' } } as const

const UNFIT: readonly Unfit[] = [
  {
    what: 'without Content-Type',
    requirement: 'CTYPE-01',
    options: { headers: { [HEADER.contentType]: null } },
  },
  { what: 'as text/plain', requirement: 'CTYPE-02', options: TEXT },
  {
    // Frameworks read forms without being asked to.
    what: 'as a form',
    requirement: 'CTYPE-02',
    options: { headers: { [HEADER.contentType]: 'application/x-www-form-urlencoded' } },
  },
  {
    what: 'as text/plain, with a body that is no JSON',
    requirement: 'CTYPE-03',
    options: { ...TEXT, rawBody: '{' },
  },
  {
    what: 'as text/plain, with an empty object for a body',
    requirement: 'CTYPE-03',
    options: { ...TEXT, rawBody: '{}' },
  },
]

function heldToMediaType(forms: Forms, formerIds: readonly string[]): CheckDefinition {
  return check({
    id: `content-type.${forms}`,
    formerIds,
    title: 'whatever is sent with a body is held to its media type before it is looked into',
    requirements: ['CTYPE-01', 'CTYPE-02', 'CTYPE-03'],
    needs: { ...needsOf(forms, 1 + UNFIT.length), roles: ['full'] },
    run: async (context) => {
      let judged = 0
      const posted = FORMS[forms].filter((each) => hasBody(context, each))
      for await (const tried of triedForms(context, posted)) {
        await judgeForm(context, tried)
        judged++
      }
      if (judged === 0) untested('no form with a body is answered to a good key')
    },
  })
}

function hasBody({ target }: CheckContext, { operation }: Form): boolean {
  return BODY_METHODS.includes(target.operations[operation].method)
}

async function judgeForm(context: CheckContext, { form: { name }, send }: Tried): Promise<void> {
  for (const { what, requirement, options } of UNFIT) {
    const exchange = await send('full', options)
    context.expect(requirement).that(`${name} ${what}`, {
      holds: exchange.response?.status === 415,
      expected: 'HTTP 415',
      exchanges: [exchange],
    })
  }
}

export const readingForms = heldToMediaType('forms', [
  'content-type.quote',
  'content-type.top-up-validation',
])
export const buyingForms = heldToMediaType('purchase-forms', [
  'content-type.cart',
  'content-type.before-validation',
])
