import type { OperationName } from '../../contract/operations.ts'
import type { Target, TargetOperation } from '../../harness/target-file/target.ts'

/**
 * The target as one check sees it. What it reads of the file's selectors and prices is noted, as a dotted name: where the file is
 * wrong there, nothing may be concluded from that check.
 */
export function noting(target: Target, note: (name: string) => void): Target {
  const operations = Object.entries(target.operations) as [OperationName, TargetOperation][]
  return {
    ...target,
    operations: Object.fromEntries(
      operations.map(([name, operation]) => [
        name,
        {
          ...operation,
          selectors: noted(operation.selectors, note, `operations.${name}.selectors`),
        },
      ]),
    ) as Target['operations'],
    products: Object.fromEntries(
      Object.entries(target.products).map(([ability, product]) => [
        ability,
        noted(product, note, `products.${ability}`),
      ]),
    ),
  }
}

function noted<T extends object>(values: T, note: (name: string) => void, place: string): T {
  return new Proxy(values, {
    get(from, name, receiver) {
      if (typeof name === 'string') note(`${place}.${name}`)
      return Reflect.get(from, name, receiver)
    },
  })
}
