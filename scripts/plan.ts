import { RUN_PAGES } from '../harness/gate/pages.ts'
import { command } from './command.ts'

await command(RUN_PAGES.plan, async ({ argv }) => {
  const { plan } = await import('./plan-main.ts')
  return plan(argv, { out: process.stdout, progress: process.stderr })
})
