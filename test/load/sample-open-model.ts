/** Evidence and plans of the open model for tests of what measures and judges them. Nothing in them was measured. */
import {
  OPEN_MODEL_VERSION,
  type OpenModelFile,
  type SessionEnd,
  type SessionKind,
} from '../../load/protocol/open-model.ts'
import type { SessionExchange } from '../../harness/load/open-model/exchange-table.ts'
import type { OpenModelEvidence } from '../../harness/load/open-model/import.ts'
import type { OpenModelPlan } from '../../harness/load/open-model/plan.ts'
import { sessionTable } from '../../harness/load/open-model/session-table.ts'
import type { SessionEvidence } from '../../harness/load/open-model/session-table.ts'
import type { LoadKey } from '../../harness/load/rate-limits/plan.ts'

const SERVICES = {
  method: 'GET',
  url: 'http://127.0.0.1:1/services',
  reads: { items: [] },
} as const

export function key(account: string): LoadKey {
  return { role: 'full', env: 'TEST_KEY', secret: `secret of ${account}`, account }
}

export function openModelPlan(file: Partial<OpenModelFile> = {}): OpenModelPlan {
  const keys = [key('a'), key('b')]
  return {
    scenario: 'browse',
    keys,
    secrets: {},
    requestsMin: 0,
    requestsMax: 100,
    wallSecondsMax: 10,
    budget: { requestsMax: 100, ordersMax: 0, expectedSeconds: 2, wallSecondsMax: 10 },
    file: {
      version: OPEN_MODEL_VERSION,
      scenario: 'browse',
      workload: 'smoke',
      stages: [{ seconds: 2, fromPerSecond: 1, toPerSecond: 1 }],
      mix: [{ kind: 'browse', weight: 1 }],
      sessions: 2,
      keyEnvs: ['A', 'B'],
      virtualUsers: 4,
      leadMs: 0,
      operations: { services: SERVICES },
      references: { form: 'uuid', mark: '0badcafe' },
      warmUrl: '',
      pageLimit: 5,
      pagesMax: 4,
      marks: { reference: 'R', orderId: 'O', offset: 'F' },
      retriesMax: 2,
      waitSecondsMax: 60,
      jitterMsMax: 100,
      pollSeconds: 1,
      pollsMax: 4,
      requestTimeoutSeconds: 1,
      maxSeconds: 10,
      requestsMax: 100,
      ...file,
    },
  }
}

export type Sent = Partial<SessionExchange> & { readonly sentMs: number }

/** An answer that is nothing but admitted. */
export const ANSWERED: SessionExchange = {
  session: 0,
  key: 0,
  operation: 'services',
  attempt: 0,
  dueMs: 0,
  sentMs: 0,
  receivedMs: 0,
  durationMs: 0,
  status: 200,
  code: undefined,
  retryAfter: undefined,
  errorCode: undefined,
  newConnection: false,
  state: undefined,
  currency: undefined,
  total: undefined,
  reference: undefined,
  items: undefined,
  ids: [],
  prices: [],
  states: [],
}

/** A session that sent what is given, each answered after 10 ms unless it says otherwise. */
export function sessionOf(
  index: number,
  sent: readonly Sent[],
  options: { kind?: SessionKind; dueMs?: number; key?: number; end?: SessionEnd | null } = {},
): SessionEvidence {
  const { kind = 'browse', key: of = 0, end = 'done' } = options
  const dueMs = options.dueMs ?? sent[0]?.sentMs ?? 0
  return {
    index,
    kind,
    key: of,
    dueMs,
    startedMs: dueMs,
    exchanges: sent.map((each) => {
      const { sentMs, receivedMs = sentMs + 10 } = each
      const times = { dueMs: sentMs, receivedMs, durationMs: receivedMs - sentMs }
      return { ...ANSWERED, session: index, key: of, ...times, ...each }
    }),
    ...(end === null ? {} : { end }),
  }
}

export function evidenceOf(sessions: readonly SessionEvidence[]): OpenModelEvidence {
  return { sessions: sessionTable(sessions), zeroUnixMs: 0 }
}
