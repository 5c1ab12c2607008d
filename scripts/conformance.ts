import { main } from './main.ts'

await main('conformance')
