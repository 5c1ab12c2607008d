import type { Row } from '../row.ts'
import { ANSWERS } from './answers.ts'
import { COMPARISON } from './comparison.ts'
import { CONFIGURATION } from './configuration.ts'
import { ENDPOINTS } from './endpoints.ts'
import { K6S } from './k6.ts'
import { MACHINE } from './machine.ts'
import { MINIMAL } from './minimal.ts'
import { OUTAGES } from './outages.ts'
import { PLAUSIBLE } from './plausible.ts'
import { SERVERS } from './servers.ts'
import { STRANGERS } from './strangers.ts'

export const ROWS: readonly Row[] = [
  ...CONFIGURATION,
  ...MINIMAL,
  ...SERVERS,
  ...STRANGERS,
  ...ANSWERS,
  ...COMPARISON,
  ...ENDPOINTS,
  ...K6S,
  ...MACHINE,
  ...PLAUSIBLE,
  ...OUTAGES,
]
