import { CAPACITY_PAGE } from '../harness/capacity/page.ts'
import { command } from './command.ts'

await command(CAPACITY_PAGE, async ({ argv }) => {
  const { capacity } = await import('./capacity-main.ts')
  return capacity(argv)
})
