/** The two clients under measurement, in a process of their own, so that its CPU time is nobody else's. */
import { Agent, request } from 'undici'
import { Session } from '../conformance/engine/session.ts'
import { keyringOf, type AccountSource } from '../harness/accounts/accounts.ts'
import { Api } from '../harness/client/api.ts'
import { UndiciTransport } from '../harness/client/undici-transport.ts'
import { RealClock } from '../harness/clock.ts'
import { validateMessage } from '../harness/schema/validate.ts'
import { effectiveLimits } from '../harness/quota/effective-limits.ts'
import { resolveDocument } from '../harness/target-file/resolve-document.ts'
import type { Target } from '../harness/target-file/target.ts'
import { targetFile } from '../reference/target.ts'
import { tell, usageNow } from './usage.ts'

export type ClientKind = 'bare' | 'ours'

/** What the parent asks for. */
export type ClientTask = {
  readonly kind: ClientKind
  readonly baseUrl: string
  readonly key: string
  readonly orderId: string
  readonly requests: number
  readonly inFlight: number
}

export type ClientCost = { readonly cpuMicroseconds: number; readonly wallSeconds: number }

/** Sends one request, takes its answer in whole and holds it against what is expected. */
type Sender = { send(): Promise<void>; close(): Promise<void> }

/** Windows that no measurement spends: they are counted all the same. */
const WIDE = { count: 1_000_000_000, windowSeconds: 60 } as const

/** undici's own function as its users call it: the answer is read as text, and its status looked at. */
function bareClient({ baseUrl, key, orderId }: ClientTask): Sender {
  const dispatcher = new Agent()
  const url = `${baseUrl}/api/v1/orders?orderId=${orderId}`
  const headers = { accept: 'application/json', 'x-api-key': key }
  return {
    async send() {
      const { statusCode, body } = await request(url, { dispatcher, headers })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`Got HTTP ${statusCode}: ${text}`)
    },
    close: () => dispatcher.close(),
  }
}

function targetAt(baseUrl: string): Target {
  // The control side is never asked: it stands for the keys, which the child is given.
  const { credentials: _none, ...file } = targetFile(baseUrl, baseUrl) as Record<string, unknown>
  const { hazards: _unused, ...target } = resolveDocument(file, { name: 'bench' })
  return { ...target, kind: 'embedded', faults: [], limits: { 'orders.filtered': WIDE } }
}

/** A check's call: the ledger is asked, the exchange kept, its secrets are learned and its envelope is held against the schema. */
function ourClient({ baseUrl, key, orderId }: ClientTask): Sender {
  const target = targetAt(baseUrl)
  const keyring = keyringOf({
    full: { role: 'full', env: 'ORDERING_KEY', account: 'bench', secret: key },
  })
  const accounts: AccountSource = {
    fresh: false,
    roles: ['full'],
    open: () => Promise.resolve(keyring),
  }
  const transport = new UndiciTransport()
  const clock = new RealClock()
  const { signal } = new AbortController()
  const limits = effectiveLimits(target)
  const session = new Session({ target, limits, accounts, transport, clock, signal })
  session.redactor.addSecret(key, 'key of full')
  const { client, guard } = session
  const api = new Api({ client, target, clock, guard, keyring, check: 'bench', signal }, 'full')
  return {
    async send() {
      const { response, json } = await api.getOrders({ orderId })
      const violations = validateMessage('envelope', json)
      if (response?.status !== 200 || violations.length > 0)
        throw new Error(`Got ${response?.status} ${JSON.stringify(violations)}`)
    },
    close: () => transport.close(),
  }
}

const CLIENTS: Readonly<Record<ClientKind, (task: ClientTask) => Sender>> = {
  bare: bareClient,
  ours: ourClient,
}

async function measure(task: ClientTask): Promise<ClientCost> {
  const sender = CLIENTS[task.kind](task)
  const startedMs = performance.now()
  const before = usageNow()
  let sent = 0
  const sendInTurn = async (): Promise<void> => {
    while (sent < task.requests) {
      sent += 1
      await sender.send()
    }
  }
  await Promise.all(Array.from({ length: task.inFlight }, sendInTurn))
  const after = usageNow()
  const wallSeconds = (performance.now() - startedMs) / 1000
  await sender.close()
  return { cpuMicroseconds: after.cpuMicroseconds - before.cpuMicroseconds, wallSeconds }
}

process.once('disconnect', () => process.exit())
process.on('message', (task: ClientTask) => void measure(task).then(tell))
