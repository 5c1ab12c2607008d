import { targetText } from '../text.ts'
import { approach } from './approach.ts'
import { withDeadline } from './deadline.ts'
import type { GateParts } from './parts.ts'
import type { GateStreams } from './supervise.ts'
import { lastFailed } from './last-failed.ts'
import { prepareScenario } from './load-phase.ts'
import { openTarget } from './open-target.ts'
import type { RunOptions } from './options.ts'
import { permissionOf } from './permission.ts'
import { preflight } from './preflight.ts'
import { ProgressLine } from './progress.ts'
import { select } from './selection.ts'
import { requireUnderLoad } from './under-load.ts'
import { selectScenarios, startOrder } from '../load/shared/scenarios.ts'
import { Redactor } from '../record/redact.ts'
import { requireFit } from '../plan/bounds.ts'
import { paperAccounts } from '../plan/paper-accounts.ts'
import { planJson, renderPlan } from '../plan/render.ts'
import { joinPlan, type RunPlan, type ScenarioPlan } from '../plan/run-plan.ts'
import { planSelected, sharesCap, type Selected } from './plan-checks.ts'

/**
 * Prints what a run with the same options would send, buy and take. Sends the read-only preflight, which tells the limits, and
 * nothing else. Throws E_PERMISSION or E_BUDGET, after the plan was printed, where it does not fit.
 */
export async function printPlan(
  options: RunOptions,
  parts: GateParts,
  { out, progress: stream }: GateStreams,
  format: 'text' | 'json',
): Promise<void> {
  const wanted = {
    ...options,
    ...(options.lastFailed ? { only: lastFailed(options) } : {}),
    loadOnly: options.command === 'load',
  }
  const selection = select(parts.checks, options.load ? parts.scenarios : [], wanted)
  const progress = new ProgressLine(stream)
  await using opened = await openTarget(options, process.env, (text) => progress.phase(text))
  const { target } = opened
  await using probing = approach(target, new Redactor(), { runId: 'plan' })
  const { accounts } = probing
  progress.phase(`asks ${targetText(target)} for its limits`)
  const ready = await withDeadline(probing, progress, preflight)
  const permission = permissionOf(target, options)
  const selected = { parts, selection, target, accounts, ready, permission }
  const suite = planSelected(selected)
  const load = await planLoad(options, selected)
  const background = requireUnderLoad(
    options,
    { target, accounts: paperAccounts(accounts), ready },
    suite.boundSeconds,
    load.flatMap((each) => ('budget' in each ? [each.budget] : [])),
  )
  const plan: RunPlan = joinPlan({ suite, load, permission, underLoad: background })
  out.write(format === 'json' ? `${planJson(plan)}\n` : renderPlan(plan, target))
  requireFit(plan, options, target)
}

/** What each selected scenario may spend. On paper: no account is made for it. */
async function planLoad(
  { workload }: Pick<RunOptions, 'workload'>,
  { parts, selection, target, accounts, ready, permission }: Selected,
): Promise<ScenarioPlan[]> {
  const paper = paperAccounts(accounts)
  const isCapShared = sharesCap(parts, selection, { target, accounts, permission })
  const plans: ScenarioPlan[] = []
  for (const { name } of startOrder(selectScenarios(selection.scenarios), accounts)) {
    const prepared = permission.load
      ? await prepareScenario(name, { target, accounts: paper, ready, isCapShared }, workload)
      : { lacks: 'load on this target needs --allow-load' }
    plans.push(
      'lacks' in prepared
        ? { scenario: name, lacks: prepared.lacks }
        : { scenario: name, budget: prepared.budget },
    )
  }
  return plans
}
