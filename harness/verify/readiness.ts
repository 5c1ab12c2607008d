/** What can be begun with what was seen. Pure. */
import { whyFreeToTest } from '../target-file/free-to-test.ts'
import { keysOfFile } from '../target-file/keys.ts'
import type { Role } from '../../contract/capabilities.ts'
import type { Credential, Target } from '../target-file/target.ts'
import { isUsable } from './keys.ts'
import type { Layer } from './layer.ts'
import type { Answers } from './questions.ts'

export type Readiness = {
  readonly ready: readonly string[]
  readonly notReady: readonly { readonly what: string; readonly because: string }[]
}

/** A part of the work, and what is missing for it. */
type Part = { readonly what: string; readonly lacks: readonly (string | undefined)[] }

export function readinessOf(target: Target, layers: readonly Layer[], answers: Answers): Readiness {
  const blocked = blockerOf(answers)
  const parts = partsOf(target, layers, answers)
  const missing = parts.map(({ what, lacks }) => ({
    what,
    because: (lacks.some((each) => each !== undefined && each === blocked)
      ? [blocked]
      : [...new Set(lacks.filter((each) => each !== undefined))]
    ).join(', and '),
  }))
  return {
    ready: missing.filter(({ because }) => because === '').map(({ what }) => what),
    notReady: missing.filter(({ because }) => because !== ''),
  }
}

/** What is reported alone: the rest can be seen only once it is mended. */
function blockerOf(answers: Answers): string | undefined {
  if (!answers.isInterface) return 'this interface was not reached'
  return isUsable(answers, 'full') ? undefined : 'there is no usable key of role full'
}

function partsOf(target: Target, layers: readonly Layer[], answers: Answers): Part[] {
  const passed = (name: string, otherwise: string): string | undefined => {
    const state = layers.find((each) => each.name === name)?.state
    return state === 'pass' ? undefined : otherwise
  }
  const notFailed = (name: string, otherwise: string): string | undefined =>
    layers.find((each) => each.name === name)?.state === 'fail' ? otherwise : undefined
  const reached = answers.isInterface ? undefined : blockerOf(answers)
  const full = isUsable(answers, 'full') ? undefined : blockerOf(answers)
  const { operations, products, capabilities } = target
  // A control side makes the keys of every role.
  const lacksKey = (role: Role): string | undefined =>
    target.control || isUsable(answers, role) ? undefined : `there is no usable key of role ${role}`
  const isFree = whyFreeToTest(target) !== undefined
  const lacksPurchase = [
    reached,
    full,
    operations.createOrder.bodies.shop === undefined
      ? 'operations.createOrder.bodies.shop is missing'
      : undefined,
    products.voucher === undefined ? 'products.voucher is missing' : undefined,
    notFailed('products', 'prices of the file differ from the catalog'),
    isFree ? undefined : 'a production target needs --allow-purchases',
  ]
  return [
    {
      what: 'reading (--profile read-only)',
      lacks: [reached, full, reached ?? passed('catalog', 'the catalog could not be read')],
    },
    {
      what: 'reading orders',
      lacks: [reached, reached ?? passed('orders', 'orders could not be read')],
    },
    {
      what: 'windows (--profile limits)',
      lacks: [reached, full, reached ?? passed('limits', 'not all windows were read')],
    },
    { what: 'purchases', lacks: lacksPurchase },
    {
      what: 'the spend cap',
      lacks: [
        full,
        lacksPurchase.some((each) => each !== undefined) ? 'purchases are not ready' : undefined,
        lacksKey('capped'),
        capabilities.includes('transaction-limit')
          ? undefined
          : 'the capability transaction-limit is not declared',
        target.control || keysOfFile(target).some(hasStatedCap)
          ? undefined
          : 'credentials.capped.transactionLimit (limit and used) is missing',
      ],
    },
    {
      what: 'accounts apart',
      lacks: [reached, full, ...(['sibling', 'stranger'] as const).map(lacksKey)],
    },
    {
      what: 'load',
      lacks: [reached, full, isFree ? undefined : 'a production target needs --allow-load'],
    },
  ]
}

function hasStatedCap({ role, transactionLimit }: Credential): boolean {
  return role === 'capped' && transactionLimit !== undefined
}
