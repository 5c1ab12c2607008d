import { powerOf, powerText, volleysFor } from '../../../harness/judge/race-power.ts'
import { inconclusive } from '../../engine/undecided.ts'

/** Volleys whose requests met that a race check takes before it passes. */
export const VOLLEYS = volleysFor()

/** Volleys that it releases at most, where the requests of some did not meet. */
export const VOLLEYS_MAX = 2 * VOLLEYS

/** What a race check has to know of a volley. */
export type Trial = {
  /** Its requests met at the server, as far as that is known from outside. */
  readonly met: boolean
  /** For reasons: how well they met. */
  readonly text: string
}

/** Releases volleys until one breaks what is judged, or until enough of them have met; gives what was released. */
export async function repeatUntilPower<T extends Trial>(
  release: (released: readonly T[]) => Promise<T>,
  {
    isOver = () => false,
    isInDoubt = () => false,
    volleysMax = VOLLEYS_MAX,
  }: {
    /** Nothing more is to be learned, or to be spent. */
    readonly isOver?: (released: readonly T[]) => boolean
    /** Something was seen that more volleys have to confirm. */
    readonly isInDoubt?: () => boolean
    readonly volleysMax?: number
  } = {},
): Promise<T[]> {
  const released: T[] = []
  const isEnough = (): boolean => metIn(released) >= VOLLEYS && !isInDoubt()
  while (released.length < volleysMax && !isEnough() && !isOver(released))
    released.push(await release(released))
  return released
}

export function metIn(released: readonly Trial[]): number {
  return released.filter(({ met }) => met).length
}

/** Insists on the power: that nothing went wrong says too little where the requests hardly met. To be called before a pass is recorded. */
export function needPower(released: readonly Trial[], what: string, met = metIn(released)): void {
  if (met >= VOLLEYS) return
  inconclusive(
    `too few ${what} met to tell: ${met} of ${released.length} volleys, ${VOLLEYS} are asked for (${(100 * powerOf(VOLLEYS)).toFixed(1)} %); ${textOf(released)}`,
  )
}

/** For findings: what was released, and what that is worth. */
export function worthOf(released: readonly Trial[]): string {
  return `${powerText(metIn(released))}: ${textOf(released)}`
}

export function textOf(released: readonly Trial[]): string {
  return released.map(({ text }) => text).join('; ')
}

/** A volley that was judged. What holds is recorded only when all volleys are enough for a pass. */
export type JudgedTrial = Trial & { readonly holds: boolean; readonly record: () => void }

export function isBroken(judged: readonly JudgedTrial[]): boolean {
  return judged.some(({ holds }) => !holds)
}

/** Records what is broken; where nothing is, insists on the power and records all. */
export function conclude(judged: readonly JudgedTrial[], what: string): void {
  const broken = judged.filter(({ holds }) => !holds)
  if (broken.length === 0) needPower(judged, what)
  for (const { record } of broken.length > 0 ? broken : judged) record()
}
