/** A plan as text for a terminal, and as JSON. Pure. */
import { formatMoney, moneyText } from '../money.ts'
import { formatNumber, formatSeconds, listed, oneLine, plural, targetText } from '../text.ts'
import type { Target } from '../target-file/target.ts'
import { loadLines, underLoadLines } from './render-load.ts'
import type { CounterQueue, Queue } from './queue.ts'
import { expectedText, type RunPlan } from './run-plan.ts'
import { bucketOf } from './costs.ts'
import type { CheckChain } from './chains.ts'
import type { CounterRequests, SuitePlan } from './suite-plan.ts'

const CHAINS_MAX = 6
const COUNTERS_MAX = 8
const NAMES_MAX = 6
const THINGS_MAX = 12

/** The plan in sections; every line says its unit. */
export function renderPlan(plan: RunPlan, target: Pick<Target, 'name' | 'baseUrl'>): string {
  const { suite } = plan
  const sections: [string, readonly string[]][] = [
    ['Checks', checkLines(suite)],
    ['Time', timeLines(plan)],
    ['Requests of checks', requestLines(suite)],
    ['Purchases of checks', purchaseLines(plan)],
    ['Load beside the checks', underLoadLines(plan)],
    ['Load', loadLines(plan)],
  ]
  const title = `Plan for ${targetText(target)}. Only the preflight was sent.`
  return [
    title,
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .flatMap(([name, lines]) => ['', name, ...lines.map((line) => `  ${line}`)]),
    '',
  ].join('\n')
}

function checkLines({ selected, lacking, chains, isFresh }: SuitePlan): string[] {
  if (selected === 0) return []
  const untested = lacking.filter(({ verdict }) => verdict === 'untested')
  const idle = lacking.length - untested.length
  return [
    `${formatNumber(selected)} that send requests: ${formatNumber(chains.length)} to carry out, ${formatNumber(untested.length)} untested, ${formatNumber(idle)} inapplicable; ${isFresh ? 'an account for each' : 'all share the accounts of the target file'}`,
    ...missingLines(untested),
  ]
}

/** By what has to be added, what most checks lack first. A check may lack several things; --json gives them by check. */
function missingLines(untested: SuitePlan['lacking']): string[] {
  if (untested.length === 0) return []
  const checksBy = new Map<string, number>()
  for (const { reason, wants = [] } of untested) {
    const things = wants.length > 0 ? wants.map(({ what }) => what) : [reason]
    for (const thing of new Set(things)) checksBy.set(thing, (checksBy.get(thing) ?? 0) + 1)
  }
  const things = [...checksBy].toSorted(([, a], [, b]) => b - a)
  const left = things.length - THINGS_MAX
  return [
    'the untested checks lack, some of them several of these:',
    ...things
      .slice(0, THINGS_MAX)
      .map(([thing, checks]) => `  ${oneLine(thing, 140)}: ${plural(checks, 'check')}`),
    ...(left > 0 ? [`  … and ${formatNumber(left)} more things; --json names them by check`] : []),
  ]
}

function timeLines({ suite, loadTotal, secondsMax }: RunPlan): string[] {
  const { chains, queue, expectedSeconds, boundSeconds } = suite
  const [longest] = chains
  const checks = longest
    ? [
        `checks: up to ${formatSeconds(expectedSeconds)}, ${formatSeconds(boundSeconds)} with a reserve of 15 %; ${queue ? 'they share counters and wait for each other' : `the longest is ${longest.check}`}`,
        ...triesLine(chains),
        ...(queue ? queueLines(queue) : chainLines(chains)),
      ]
    : []
  const load =
    loadTotal.wallSecondsMax > 0
      ? [
          `load: ${expectedText(loadTotal)}, at most ${formatSeconds(loadTotal.wallSecondsMax)}, one scenario after the other`,
        ]
      : []
  return [`altogether: at most ${formatSeconds(secondsMax)}`, ...load, ...checks]
}

function chainLines(chains: readonly CheckChain[]): string[] {
  const waiting = chains.filter(({ links }) => links.length > 0)
  const shown = waiting.slice(0, CHAINS_MAX).map(chainLine)
  const left = waiting.length - CHAINS_MAX
  return [...shown, ...(left > 0 ? [`… and ${formatNumber(left)} shorter chains`] : [])]
}

function chainLine({ check, seconds, links }: CheckChain): string {
  return `chain ${check}: ${formatSeconds(seconds)} = ${links.map(({ text }) => text).join(', then ')}`
}

/** Repetitions are no part of the bound: they come where noise left something open. */
function triesLine(chains: readonly CheckChain[]): string[] {
  const [worst] = chains.toSorted((a, b) => b.secondsMax - a.secondsMax)
  return worst && worst.secondsMax > worst.seconds
    ? [
        `not in it: repeated tries of checks that decided too little, up to ${formatSeconds(worst.secondsMax)} of ${worst.check}`,
      ]
    : []
}

function queueLines({ counters, cappedSeconds, lastSeconds }: Queue): string[] {
  return [
    ...counters
      .filter(({ seconds }) => seconds > 0)
      .slice(0, COUNTERS_MAX / 2)
      .map(counterLine),
    ...(cappedSeconds > 0
      ? [`checks on the capped key take turns: ${formatSeconds(cappedSeconds)}`]
      : []),
    ...(lastSeconds > 0
      ? [`those that leave nothing of its cap come after all others: ${formatSeconds(lastSeconds)}`]
      : []),
  ]
}

function counterLine(queue: CounterQueue): string {
  const { holders, heldSeconds, pacedRequests, spentWindows, seconds } = queue
  const names = listed(
    holders.toSorted((a, b) => b.seconds - a.seconds).map(({ check }) => check),
    NAMES_MAX,
  )
  const parts = [
    ...(holders.length > 0
      ? [
          `${formatSeconds(heldSeconds)} for ${plural(holders.length, 'check')} that use ${plural(spentWindows, 'window')} up, one after the other (${names})`,
        ]
      : []),
    `${formatSeconds(seconds - heldSeconds)} of waiting for ${plural(pacedRequests, 'request')} of other checks`,
  ]
  return `${counterText(queue)}: ${formatSeconds(seconds)} = ${parts.join(' + ')}`
}

function counterText({ counter, budget, windowSeconds }: CounterQueue): string {
  return `${counterName(counter)} (${formatNumber(budget)} per ${formatNumber(windowSeconds)} s)`
}

function counterName(counter: string): string {
  return counter.replace(/^own /, '').replace(/^other (.*)/, '$1 of the other account')
}

function requestLines({ requests, requestsTotal, isFresh }: SuitePlan): string[] {
  if (requests.length === 0) return []
  // Unhide budgets are counted per order: there no check has to wait for another.
  const shared = requests.filter(({ counter }) => !bucketOf(counter).startsWith('orders.unhide'))
  const left = shared.length - COUNTERS_MAX
  return [
    `${plural(requestsTotal, 'request')} in all, as measured against the reference service`,
    ...shared.slice(0, COUNTERS_MAX).map((each) => requestLine(each, isFresh)),
    ...(left > 0 ? [`… and ${formatNumber(left)} counters that are used less`] : []),
  ]
}

function requestLine(requests: CounterRequests, isFresh: boolean): string {
  const { counter, budget, windowSeconds, heldChecks, heldMax, pacedMax, pacedBy, total } = requests
  const windows = Math.ceil(pacedMax / budget)
  const inWindows = `in ${plural(windows, 'window')} or more`
  const others = isFresh
    ? `at most ${formatNumber(pacedMax)} of one account (${pacedBy})`
    : formatNumber(pacedMax)
  const isAll = heldChecks === 0 && !isFresh
  const parts = [
    `${plural(total, 'request')}${isAll ? `, ${inWindows}` : ''}`,
    ...(heldChecks > 0
      ? [`used up by ${plural(heldChecks, 'check')}, with at most ${plural(heldMax, 'request')}`]
      : []),
    ...(pacedMax > 0 && !isAll
      ? [`${heldChecks > 0 ? 'others: ' : ''}${others}, ${inWindows}`]
      : []),
  ]
  return `${counterName(counter)} (${formatNumber(budget)} per ${formatNumber(windowSeconds)} s): ${parts.join('; ')}`
}

function purchaseLines({ suite, permission }: RunPlan): string[] {
  const { orders, ordersMax, money, onCap, unpriced } = suite.purchases
  if (suite.selected === 0) return []
  const { purchases } = permission
  const orderBound = purchases?.ordersMax
  const spendBound = purchases?.spendMax
  const permitted = purchases
    ? [
        orderBound === undefined ? 'any number of orders' : plural(orderBound, 'order'),
        spendBound
          ? `${spendBound.currency} ${formatMoney(spendBound.micros)}`
          : 'any amount of money',
      ].join(' and ')
    : 'none'
  return [
    orders === 0 && ordersMax === 0
      ? 'none'
      : `${plural(orders, 'order')} for ${moneyText(money)} as measured; at most ${formatNumber(ordersMax)}`,
    ...(onCap && onCap.wanted.size > 0
      ? [
          `of that at most ${onCap.left} on the capped key, which is left of its cap; its checks ask for ${moneyText(onCap.wanted)}`,
        ]
      : []),
    ...(onCap && onCap.atRisk.length > 0
      ? [
          `so up to ${plural(onCap.atRisk.length, 'check')} more may stay untested, which depends on their order: ${listed(onCap.atRisk, NAMES_MAX)}`,
        ]
      : []),
    ...(spendBound && onCap && onCap.wanted.size > 0
      ? [
          `some orders exceed that cap on purpose; while one is sent, its price counts: leave more than ${onCap.left} of --max-spend for it`,
        ]
      : []),
    ...(unpriced.length > 0
      ? [`no price in the target file, so not in the sum: ${unpriced.join(', ')}`]
      : []),
    `permitted: ${permitted} (${permission.reason})`,
    ...(orderBound !== undefined && orderBound < ordersMax && orderBound >= orders
      ? [
          `more than ${formatNumber(orderBound)} are never made: what would come after is untested, with the reason`,
        ]
      : []),
  ]
}

/** The whole plan as JSON: amounts as decimal text, as in the record. */
export function planJson(plan: RunPlan): string {
  return JSON.stringify(
    plan,
    (_, value: unknown) => {
      if (typeof value === 'bigint') return formatMoney(value)
      return value instanceof Map ? Object.fromEntries(value) : value
    },
    2,
  )
}
