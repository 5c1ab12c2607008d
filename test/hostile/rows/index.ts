import type { Row } from '../row.ts'
import { CONFIGURATION } from './configuration.ts'
import { MINIMAL } from './minimal.ts'
import { SERVERS } from './servers.ts'

export const ROWS: readonly Row[] = [...CONFIGURATION, ...MINIMAL, ...SERVERS]
