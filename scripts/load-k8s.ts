import { guarded } from './start.ts'

await guarded(async () => {
  const { loadOnKubernetes } = await import('./kubernetes.ts')
  await loadOnKubernetes()
})
