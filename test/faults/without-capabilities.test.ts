/** A right service that lacks optional parts, which its target file does not declare: no requirement is left open for want of them. */
import { expect, test } from 'vitest'
import type { Capability } from '../../contract/capabilities.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import { judgeRequirement } from '../../harness/judge/verdicts.ts'
import type { Product, Target } from '../../harness/target-file/target.ts'
import { lineOf, othersThanGreen } from '../support/conforming.ts'
import { embedInProcess } from '../support/in-process.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { virtualRun } from '../support/virtual-run.ts'

const SERVICE = { platformGift: 'enabled', seed: 7 } as const

/** What goes with a capability. */
const PARTS: Readonly<Partial<Record<Capability, readonly Capability[]>>> = {
  shop: ['cart', 'long-orders', 'async'],
  dtu: ['dtu-check', 'dtu-validation', 'quantity-items'],
}

const PRODUCTS: Readonly<Partial<Record<Capability, RegExp>>> = {
  shop: /^voucher/,
  async: /^voucher-async$/,
  'long-orders': /^voucher-long$/,
  dtu: /^(?:dtu|quantity)/,
  'dtu-check': /^dtu-/,
  'quantity-items': /^quantity$/,
  esim: /^esim/,
  'platform-gift': /^platform-gift$/,
}

function without(target: Target, left: readonly Capability[]): Target {
  const all = new Set(left.flatMap((each) => [each, ...(PARTS[each] ?? [])]))
  const gone = [...all].flatMap((each) => PRODUCTS[each] ?? [])
  const products = Object.entries(target.products)
    .filter(([ability]) => !gone.some((pattern) => pattern.test(ability)))
    .map(([ability, product]): [string, Product] => [ability, withSearch(product)])
  return {
    ...target,
    products: Object.fromEntries(products),
    capabilities: target.capabilities.filter((each) => !all.has(each)),
  }
}

/** Ours are all found by a part of their names. */
function withSearch(product: Product): Product {
  return { search: 'Mobile', ...product }
}

function openIn(outcomes: readonly CheckOutcome[]): string[] {
  const checks = outcomes.map(({ check }) => check)
  const named = new Set(checks.flatMap(({ requirements }) => requirements))
  return [...named].filter((requirement) => {
    const citing = checks.filter(({ requirements }) => requirements.includes(requirement))
    const findings = citing.flatMap((check) =>
      check.findings.filter((finding) => finding.requirement === requirement),
    )
    const verdict = judgeRequirement(
      findings.map((finding) => finding.verdict),
      citing.map((check) => check.verdict),
    )
    return verdict === 'untested' || verdict === 'inconclusive'
  })
}

test.each<[string, readonly Capability[]]>([
  ['item lookup', ['item-lookup']],
  ['carts and unhide', ['cart', 'unhide']],
  ['anything asynchronous, or long', ['async', 'long-orders']],
  ['vouchers', ['shop']],
  ['top-ups', ['dtu']],
  ['vouchers and eSIMs', ['shop', 'esim', 'platform-gift']],
  ['caps and validation', ['transaction-limit', 'dtu-validation']],
  ['allowlists, funds and a report of limits', ['allowlist', 'funds', 'rate-limits']],
])('a service without %s', async (_what, left) => {
  const { target } = embedInProcess({
    faults: [],
    windowSeconds: 2,
    clock: new VirtualClock(),
    service: SERVICE,
  })
  const { outcomes } = await virtualRun({ target: without(target, left), service: SERVICE })
  const failed = othersThanGreen(outcomes).filter(({ check }) => check.verdict !== 'untested')
  expect([failed.map(lineOf), openIn(outcomes)]).toEqual([[], []])
})
