import { HEADER } from '../../contract/wire.ts'
import {
  BUYING_FORMS,
  ordersOf,
  READING_FORMS,
  triedForms,
  type Form,
  type Tried,
} from '../steps/requests.ts'
import type {
  CallOptions,
  CheckContext,
  CheckDefinition,
  Needs,
  RequirementId,
} from '../engine/kit.ts'
import { check, isAccepted, untested } from '../engine/kit.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'

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

type Held = Pick<CheckDefinition, 'id' | 'formerIds'> & {
  readonly forms: readonly Form[]
  readonly needs?: Needs
}

function heldToMediaType({ forms, needs, ...ids }: Held): CheckDefinition {
  return check({
    ...ids,
    title: 'whatever is sent with a body is held to its media type before it is looked into',
    requirements: ['CTYPE-01', 'CTYPE-02', 'CTYPE-03'],
    needs: { ...needs, roles: ['full'] },
    run: async (context) => {
      let judged = 0
      const posted = forms.filter((each) => hasBody(context, each))
      for await (const tried of triedForms(context, posted)) {
        if (!isAccepted(tried.control)) continue
        await judgeForm(context, tried)
        judged++
      }
      if (judged === 0) untested('no form with a body is answered to a good key')
    },
  })
}

function hasBody({ target }: CheckContext, { posts }: Form): boolean {
  return posts !== undefined && BODY_METHODS.includes(target.operations[posts].method)
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

export const readingForms = heldToMediaType({
  id: 'content-type.forms',
  formerIds: ['content-type.quote', 'content-type.top-up-validation'],
  forms: READING_FORMS,
})
export const buyingForms = heldToMediaType({
  id: 'content-type.purchase-forms',
  formerIds: ['content-type.cart', 'content-type.before-validation'],
  forms: BUYING_FORMS,
  needs: { ...BUYS_VOUCHERS, purchases: ordersOf(1 + UNFIT.length) },
})
