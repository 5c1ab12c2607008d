import { Undecided } from '../engine/kit.ts'

/** Judges each; what stays undecided leaves the others to decide. Rejects with the first reason where none could be decided. */
export async function judgeEach<T>(
  all: readonly T[],
  judge: (each: T) => Promise<void>,
): Promise<void> {
  const open: Undecided[] = []
  for (const each of all)
    await judge(each).catch((cause: unknown) => {
      if (!(cause instanceof Undecided)) throw cause
      open.push(cause)
    })
  if (open.length === all.length && open[0]) throw open[0]
}
