import { powerOf, powerText, burstsFor } from '../../../harness/judge/race-power.ts'
import { inconclusive } from '../../engine/kit.ts'

/** Bursts that arrived together which a race check takes before it passes. */
export const BURSTS = burstsFor()

/** Bursts that it releases at most, where some do not arrive together. */
export const BURSTS_MAX = 2 * BURSTS

/** What a race check has to know of a burst. */
export type Trial = {
  /** Its requests arrived together, as far as that is known from outside. */
  readonly isTogether: boolean
  /** For reasons: how close they were. */
  readonly text: string
}

/** Releases bursts until one breaks what is judged, or until enough of them have arrived together; gives what was released. */
export async function repeatUntilPower<T extends Trial>(
  release: (released: readonly T[]) => Promise<T>,
  {
    isOver = () => false,
    isInDoubt = () => false,
    burstsMax = BURSTS_MAX,
  }: {
    /** Nothing more is to be learned, or to be spent. */
    readonly isOver?: (released: readonly T[]) => boolean
    /** Something was seen that more bursts have to confirm. */
    readonly isInDoubt?: () => boolean
    readonly burstsMax?: number
  } = {},
): Promise<T[]> {
  const released: T[] = []
  const isEnough = (): boolean => countTogether(released) >= BURSTS && !isInDoubt()
  while (released.length < burstsMax && !isEnough() && !isOver(released))
    released.push(await release(released))
  return released
}

export function countTogether(released: readonly Trial[]): number {
  return released.filter(({ isTogether }) => isTogether).length
}

/** Insists on the power: that nothing went wrong says too little where hardly any requests arrived together. To be called before a pass is recorded. */
export function needPower(
  released: readonly Trial[],
  what: string,
  {
    together = countTogether(released),
    asked = BURSTS,
  }: { readonly together?: number; readonly asked?: number } = {},
): void {
  if (together >= asked) return
  inconclusive(
    `too few ${what} arrived together to tell: ${together} of ${released.length} bursts, ${asked} are asked for (${(100 * powerOf(asked)).toFixed(1)} %); ${textOf(released)}`,
  )
}

/** For findings: what was released, and what that is worth. */
export function worthOf(released: readonly Trial[]): string {
  return `${powerText(countTogether(released))}: ${textOf(released)}`
}

export function textOf(released: readonly Trial[]): string {
  return released.map(({ text }) => text).join('; ')
}

/** A burst that was judged. What holds is recorded only when all bursts are enough for a pass. */
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
