import { guarded } from './start.ts'

await guarded(async () => {
  const { capacityMain } = await import('./capacity-main.ts')
  await capacityMain()
})
