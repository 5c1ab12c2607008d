import type { FaultFact } from './fact.ts'
import { ACCESS_FAULTS } from './access.ts'
import { ANSWER_FAULTS } from './answers.ts'
import { BODY_FAULTS } from './bodies.ts'
import { BUDGET_FAULTS } from './budgets.ts'
import { CATALOG_FAULTS } from './catalog.ts'
import { CHARGE_FAULTS } from './charges.ts'
import { CHECK_FAULTS } from './checks.ts'
import { ENDPOINT_FAULTS } from './endpoints.ts'
import { KEY_FAULTS } from './keys.ts'
import { KIND_FAULTS } from './kinds.ts'
import { LIMIT_FAULTS } from './limits.ts'
import { NATURE_FAULTS } from './natures.ts'
import { NOTHING_BOUGHT_FAULTS } from './nothing-bought.ts'
import { ORDER_FAULTS } from './orders.ts'
import { PLAIN_FAULTS } from './plain.ts'
import { CROWDED, UNDER_LOAD_FAULTS } from './under-load.ts'
import { Crowd } from './crowd.ts'
import { SHAPE_FAULTS, type ShapeFault, shapeFault } from './shape.ts'

/**
 * Named deliberate defects of the reference service. Each is small, is switched at one point of the code by its name, and breaks
 * one requirement that a client can see; the checks are proven by turning them on one at a time.
 */
export const FAULTS = {
  ...PLAIN_FAULTS,
  ...ACCESS_FAULTS,
  ...CATALOG_FAULTS,
  ...ENDPOINT_FAULTS,
  ...NATURE_FAULTS,
  ...NOTHING_BOUGHT_FAULTS,
  ...ORDER_FAULTS,
  ...LIMIT_FAULTS,
  ...CHARGE_FAULTS,
  ...BODY_FAULTS,
  ...BUDGET_FAULTS,
  ...CHECK_FAULTS,
  ...KEY_FAULTS,
  ...KIND_FAULTS,
  ...ANSWER_FAULTS,
  ...SHAPE_FAULTS,
  ...UNDER_LOAD_FAULTS,
} as const satisfies Record<string, FaultFact>

export type { FaultFact } from './fact.ts'
export type FaultName = keyof typeof FAULTS
/** Those that show at rest: each has a row in the matrix of faults and checks. */
export const FAULT_NAMES = (Object.keys(FAULTS) as FaultName[]).filter(
  (name) => !Object.hasOwn(UNDER_LOAD_FAULTS, name),
) as readonly FaultName[]

export function isFaultName(text: string): text is FaultName {
  return Object.hasOwn(FAULTS, text)
}

const BOOKING = 'booking'

/** The faults that are on. Read at every point that one can break; changed only through the control side. */
export class FaultSet {
  readonly #on = new Set<FaultName>()
  readonly #notes = new Set<string>()
  readonly #moments = new Map<string, number>()
  readonly #reads = new Map<string, number>()
  /** What faults of a busy service hold. */
  crowd = new Crowd()
  #isEmpty = true
  #shapes: readonly ShapeFault[] = []

  constructor(names: readonly FaultName[] = []) {
    this.set(names)
  }

  /** Asked dozens of times by every request, nearly always of a service without faults. */
  has(name: FaultName): boolean {
    return !this.#isEmpty && this.#on.has(name)
  }

  /** Whether it is on, and the service is busy: orders of all accounts came faster than it books them. */
  hasWhileBusy(name: FaultName, nowMs: number): boolean {
    return this.has(name) && this.crowd.isBehind(BOOKING, nowMs, CROWDED.busy)
  }

  /** One more order to book. */
  noteBooking(nowMs: number): void {
    if (!this.#isEmpty) this.crowd.doneAtMs(BOOKING, nowMs, CROWDED.busy.perSecond)
  }

  /** Whether none is on. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Turns exactly these on. Throws RangeError for a name that does not exist. */
  set(names: readonly string[]): void {
    const known = names.filter(isFaultName)
    const unknown = names.find((name) => !isFaultName(name))
    if (unknown !== undefined)
      throw new RangeError(
        `Got the fault name ${JSON.stringify(unknown)}, which does not exist; list the names with \`npm run serve -- --list-faults\`.`,
      )
    this.#on.clear()
    this.#notes.clear()
    this.crowd = new Crowd()
    for (const name of known) this.#on.add(name)
    this.#isEmpty = this.#on.size === 0
    this.#shapes = known.map(shapeFault).filter((fault) => fault !== undefined)
  }

  /** Whether a fault that is on has noted this before. */
  hasNoted(name: FaultName, what: string): boolean {
    return this.has(name) && this.#notes.has(`${name}|${what}`)
  }

  /** Some faults depend on what happened: they keep it here, apart from the state of the service. */
  note(name: FaultName, what: string): void {
    if (this.has(name)) this.#notes.add(`${name}|${what}`)
  }

  noteMoment(name: FaultName, what: string, nowMs: number): void {
    if (this.has(name)) this.#moments.set(`${name}|${what}`, nowMs)
  }

  lastMoment(name: FaultName, what: string): number | undefined {
    return this.#moments.get(`${name}|${what}`)
  }

  /** Counts readings of an order: what several faults look at. */
  countRead(orderId: string): void {
    this.#reads.set(orderId, this.reads(orderId) + 1)
  }

  reads(orderId: string): number {
    return this.#reads.get(orderId) ?? 0
  }

  forget(name: FaultName, what: string): void {
    if (this.#notes.size > 0) this.#notes.delete(`${name}|${what}`)
  }

  /** The faults of shape among those that are on. */
  shapes(): readonly ShapeFault[] {
    return this.#shapes
  }

  names(): FaultName[] {
    return [...this.#on]
  }
}
