import { CLUSTER_PAGE } from '../harness/k8s/page.ts'
import { command } from './command.ts'

await command(CLUSTER_PAGE, async ({ argv }) => {
  const { loadOnKubernetes } = await import('./kubernetes.ts')
  await loadOnKubernetes(argv)
})
