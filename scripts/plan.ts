import { RUN_PAGES } from '../harness/gate/pages.ts'
import { command } from './command.ts'

await command(RUN_PAGES.plan, async () => {
  const { planMain } = await import('./plan-main.ts')
  return planMain()
})
