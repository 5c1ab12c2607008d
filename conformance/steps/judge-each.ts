import type { CheckContext, RequirementId } from '../engine/kit.ts'
import { Undecided } from '../engine/kit.ts'

/**
 * Judges each. One that cannot be looked at leaves the others to decide, and says so beside them. Where the numbers do not decide one,
 * the check is open: another subject says nothing of it, and a second try may decide it.
 */
export async function judgeEach<T>(
  { leaveUndecided }: Pick<CheckContext, 'leaveUndecided'>,
  requirement: RequirementId,
  all: readonly T[],
  judge: (each: T) => Promise<void>,
): Promise<void> {
  const open: Undecided[] = []
  for (const each of all)
    await judge(each).catch((cause: unknown) => {
      if (!(cause instanceof Undecided)) throw cause
      open.push(cause)
    })
  const unsettled = open.find(({ verdict }) => verdict === 'inconclusive')
  if (unsettled) throw unsettled
  if (open.length === all.length && open[0]) throw open[0]
  for (const { message, verdict } of open)
    leaveUndecided(requirement, message, verdict === 'inapplicable' ? verdict : 'untested')
}
