import { CAPACITY_HELP } from './capacity-help.ts'
import { asksForHelp } from './help.ts'
import { guarded } from './start.ts'

await guarded(async () => {
  if (asksForHelp(process.argv)) {
    console.log(CAPACITY_HELP)
    return
  }
  const { capacityMain } = await import('./capacity-main.ts')
  await capacityMain()
})
