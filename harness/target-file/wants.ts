/** What can be added to a target file, in the words that checks and load scenarios share: what has the same words is listed once. */
import type { ProductAbility, Role } from '../../contract/capabilities.ts'
import type { Want } from '../../schemas/generated/run-record.ts'
import type { Target } from './target.ts'

/** Only test servers have one. */
export const CONTROL_SIDE: Want = { what: 'a control side (control.baseUrl)' }

export const PERMISSION_FOR_LOAD: Want = { what: 'permission for load (--allow-load)' }

export const PURCHASE_FLAGS = '--allow-purchases --max-orders N --max-spend CUR:AMOUNT'
export const PERMISSION_TO_BUY: Want = { what: `permission to buy (${PURCHASE_FLAGS})` }

export const PERMISSION_TO_BUY_MORE: Want = {
  what: 'permission to buy more (--max-orders, --max-spend)',
}

export function keyOfRole(role: Role): Want {
  return { what: `a key of role ${role}` }
}

export function productFor(ability: ProductAbility): Want {
  return { what: `a product "${ability}"` }
}

/** `kind`: for example path, selector or body template; `name`: where it stands in the file. */
export function memberOfFile(kind: string, name: string): Want {
  return { what: `the ${kind} ${name}` }
}

/** A cap of the key with the role capped, which has room for so many units of the product voucher. */
export function capWith(units: number, { products }: Pick<Target, 'products'>): Want {
  const { currency, unitPrice } = products.voucher ?? {}
  return {
    what: 'a cap with room for N units of voucher (role capped)',
    units,
    ...(currency !== undefined &&
      unitPrice !== undefined && { unitPrice: `${currency} ${unitPrice}` }),
  }
}
