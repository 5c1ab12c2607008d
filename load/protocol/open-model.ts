/**
 * Scenarios of the open model: sessions of clients that start at planned times, whether or not earlier ones have ended (an open model).
 * The orchestrator plans the schedule, the mix and the keys; k6 carries the sessions out. API keys are never in the plan, only the
 * names of environment variables.
 */

import type { OperationName } from '../../contract/operations.ts'
import type { References } from '../../contract/reference-id.ts'

export const OPEN_MODEL_VERSION = 4

/**
 * What one client does.
 *
 *   browse    pages through the services, looks one item up
 *   buyer     buys, then reads the order as told until it is final
 *   shopper   buys a cart of several orders, then reads its children
 *   orderer   buys, then reads the order in clear once: many orders within few windows
 */
export const SESSION_KINDS = ['browse', 'buyer', 'shopper', 'orderer'] as const
export type SessionKind = (typeof SESSION_KINDS)[number]

/**
 * What a request asks for. Its index stands in the line of evidence.
 *
 *   masked         reads an order by its orderId
 *   by-reference   reads by referenceId: an order, or all orders of a cart
 *   child          reads one order of a cart, by referenceId and orderId
 *   unhide         reads an order by its orderId, in clear
 */
export const SESSION_OPERATIONS = [
  'services',
  'lookup',
  'item',
  'order',
  'replay',
  'cart',
  'cart-replay',
  'masked',
  'unhide',
  'by-reference',
  'child',
] as const
export type SessionOperation = (typeof SESSION_OPERATIONS)[number]

/** An operation as goals, tables and k6's own metrics name it: reads with unhide have budgets of their own. */
export type LoadOperation = OperationName | 'unhide'

export const LOAD_OPERATION_OF: Readonly<Record<SessionOperation, LoadOperation>> = {
  services: 'listServices',
  lookup: 'lookupItems',
  item: 'getItem',
  order: 'createOrder',
  replay: 'createOrder',
  cart: 'createCart',
  'cart-replay': 'createCart',
  masked: 'getOrders',
  'by-reference': 'getOrders',
  child: 'getOrders',
  unhide: 'unhide',
}

/** A stretch of the schedule: sessions start at a rate that goes evenly from one value to the other. */
export type RateStage = {
  readonly seconds: number
  readonly fromPerSecond: number
  readonly toPerSecond: number
}

/** One step of the way to a value: the member of a name or index, every member, or those of a name at any depth. */
export type ReadStep = string | number | { readonly every: true } | { readonly deep: string }

/**
 * What is read off an answer, by the selectors of the target; several values only for the last four.
 *
 *   state      status of the order, or of the checkout
 *   currency   of the order, or of the checkout
 *   total      products that match, or totalPrice of the checkout
 *   reference  referenceId of the checkout
 *   items      the listed products or orders, which are counted
 *   ids        identifiers of the orders in the answer
 *   prices     their prices
 *   states     their statuses
 */
export type ReadName =
  | 'state'
  | 'currency'
  | 'total'
  | 'reference'
  | 'items'
  | 'ids'
  | 'prices'
  | 'states'

/** How k6 sends one operation. The plan's marks are replaced in url and body. */
export type PlannedOperation = {
  readonly method: 'GET' | 'POST'
  /** Absolute URL. */
  readonly url: string
  /** None for a GET. */
  readonly body?: string
  readonly reads: Readonly<Partial<Record<ReadName, readonly ReadStep[]>>>
}

export type OpenModelFile = {
  readonly version: typeof OPEN_MODEL_VERSION
  readonly scenario: string
  readonly workload: string
  readonly stages: readonly RateStage[]
  /** Sessions of each kind out of the sum of all weights, evenly mixed (mixOf). Weights are whole numbers. */
  readonly mix: readonly { readonly kind: SessionKind; readonly weight: number }[]
  /** Sessions in all; the schedule gives each its start (arrival-schedule.ts). */
  readonly sessions: number
  /** They take turns, one turn of the mix each (keyIndexOf). */
  readonly keyEnvs: readonly string[]
  /** Sessions that may be under way at once. */
  readonly virtualUsers: number
  /** From k6's start of the scenario to time 0 of the schedule: connections are opened in between. */
  readonly leadMs: number
  /** Only those that the mix needs. */
  readonly operations: Readonly<Partial<Record<SessionOperation, PlannedOperation>>>
  /** Those of this run; a session is a number of the first group. */
  readonly references: References
  /** Opens the connections of a virtual user before time 0; of an endpoint that no session uses, so that no window is spent. */
  readonly warmUrl: string
  /** What an order and a cart cost at most; for runs with a permitted sum. */
  readonly pricesMax?: Readonly<Partial<Record<'order' | 'cart', number>>>
  /** Products of a page of the services, and most pages of one session. */
  readonly pageLimit: number
  readonly pagesMax: number
  /** Stands in urls and bodies for what a session fills in. */
  readonly marks: {
    readonly reference: string
    readonly orderId: string
    readonly offset: string
  }
  /**
   * From the planned moment of a request to that of the next one of its session, where it does not follow at once; undefined: the next
   * is due when the last was answered.
   */
  readonly thinkSeconds?: number
  /** A 429 is waited out and tried again at most so often. */
  readonly retriesMax: number
  /** A longer wait than this ends the session as `starved`. */
  readonly waitSecondsMax: number
  /** Up to so much is added to each wait, at random. */
  readonly jitterMsMax: number
  /** Between two reads of an order that is not final, where no Retry-After says otherwise. */
  readonly pollSeconds: number
  readonly pollsMax: number
  readonly requestTimeoutSeconds: number
  /** k6 stops the scenario after this. */
  readonly maxSeconds: number
  /** k6 aborts beyond this: a ledger of last resort. */
  readonly requestsMax: number
}

/**
 * done: everything the client wanted; starved: refused more often or longer than the plan allows; unfinished: the order was not final
 * in time; rejected: a 4xx other than 429; lost: no answer, or one that leaves open what was done.
 */
export const SESSION_ENDS = ['done', 'starved', 'unfinished', 'rejected', 'lost'] as const
export type SessionEnd = (typeof SESSION_ENDS)[number]
