import { guarded } from './start.ts'

await guarded(async () => {
  const { planMain } = await import('./plan-main.ts')
  await planMain()
})
