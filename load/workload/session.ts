import type { SessionKind } from '../protocol/open-model.ts'
import { browse } from './session-browse.ts'
import { buyer } from './session-buyer.ts'
import { orderer } from './session-orderer.ts'
import type { Session } from './session-io.ts'
import { shopper } from './session-shopper.ts'

export const SESSIONS: Readonly<Record<SessionKind, Session>> = {
  browse,
  buyer,
  shopper,
  orderer,
}
