import { asksForHelp, helpOf } from './help.ts'
import { guarded } from './start.ts'

await guarded(async () => {
  if (asksForHelp(process.argv)) {
    console.log(helpOf('plan'))
    return
  }
  const { planMain } = await import('./plan-main.ts')
  await planMain()
})
