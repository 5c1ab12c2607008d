/** k6's own metrics on their way to where `--out` says: what arrives, and what becomes of a run whose receiver is gone. */
import type http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { LimitRules } from '../../reference/service.ts'
import { k6AtHand } from '../support/k6.ts'
import { expectGreen } from '../support/punctual.ts'
import { expandSnappy } from '../support/snappy.ts'
import type { Ended } from '../verdict/command-line.ts'
import { run } from '../verdict/here.ts'
import {
  answering,
  closedPort,
  frontedService,
  targetOnDisk,
  type FrontedService,
} from '../verdict/servers.ts'

const WINDOW = { count: 80, windowSeconds: 2 }
const LIMITS: LimitRules = { default: WINDOW, 'orders.filtered': WINDOW }

type Receiver = AsyncDisposable & {
  readonly port: number
  /** Bodies by path, expanded. */
  readonly received: Map<string, Buffer[]>
}

async function startReceiver(): Promise<Receiver> {
  const received = new Map<string, Buffer[]>()
  const handle = async (request: http.IncomingMessage): Promise<void> => {
    const body = await buffer(request)
    const isSnappy = request.headers['content-encoding'] === 'snappy'
    const { url = '' } = request
    received.set(url, [...(received.get(url) ?? []), isSnappy ? expandSnappy(body) : body])
  }
  const server = await answering((request, response) => {
    void handle(request).then(() =>
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end(),
    )
  })
  return { ...server, received }
}

const PASSWORD = 'password-of-the-receiver'

function variables(port: number): Record<string, string> {
  return {
    K6_OTEL_EXPORTER_PROTOCOL: 'http/protobuf',
    K6_OTEL_HTTP_EXPORTER_ENDPOINT: `127.0.0.1:${port}`,
    K6_OTEL_HTTP_EXPORTER_INSECURE: 'true',
    K6_OTEL_HEADERS: `authorization=${PASSWORD}`,
    K6_OTEL_FLUSH_INTERVAL: '500ms',
    K6_PROMETHEUS_RW_SERVER_URL: `http://127.0.0.1:${port}/api/v1/write`,
    K6_PROMETHEUS_RW_PUSH_INTERVAL: '1s',
  }
}

/** Buyers, who see keys, references and codes. */
async function polling(service: FrontedService, receiverPort: number): Promise<Ended> {
  await using target = await targetOnDisk(service.baseUrl, (file) => file)
  const what = ['--target', target.file, '--scenario', 'polling', '--seconds', '2', '--rate', '12']
  return await run(
    'load',
    [...what, '--out', 'opentelemetry', '--out', 'experimental-prometheus-rw'],
    { ...target.env, ...variables(receiverPort) },
  )
}

/** Keys that were sent and codes that were shown, read off the wire. */
function secretsOf({ seen }: FrontedService): Set<string> {
  const secrets = new Set<string>()
  for (const { request, answer } of seen) {
    secrets.add(String(request.headers['x-api-key']))
    JSON.parse(answer?.body || 'null', (name, value: unknown) => {
      if (name === 'pin' && typeof value === 'string' && !value.includes('*')) secrets.add(value)
      return value
    })
  }
  return secrets
}

describe
  .skipIf(k6AtHand === undefined)
  .concurrent("k6's own metrics with a real k6 (K6_BIN, PATH or cache)", () => {
    test('arrive, and no key and no code with them', async () => {
      await using receiver = await startReceiver()
      await using service = await frontedService(() => 'pass', { limits: LIMITS })
      const ended = await polling(service, receiver.port)
      await expectGreen(ended)
      const arrived = (path: string): string =>
        Buffer.concat(receiver.received.get(path) ?? []).toString('latin1')
      for (const name of ['http_req_duration', 'iterations', 'harness_exchanges', 'masked'])
        expect(arrived('/v1/metrics')).toContain(name)
      for (const name of ['k6_http_req_duration_p99', 'k6_harness_exchanges_total', 'masked'])
        expect(arrived('/api/v1/write')).toContain(name)
      const all = [...receiver.received.keys()].map(arrived).join('\n')
      const secrets = secretsOf(service)
      expect(secrets.size).toBeGreaterThan(3)
      expect([...secrets, PASSWORD].filter((secret) => all.includes(secret))).toEqual([])
      expect(ended.out + ended.err + (await ended.file('run.json'))).not.toContain(PASSWORD)
      expect((await ended.record()).hazards.join()).not.toContain('metrics')
    })

    test('change no verdict where nobody receives them, and that is said', async () => {
      const port = await closedPort()
      await using service = await frontedService(() => 'pass', { limits: LIMITS })
      const ended = await polling(service, port)
      await expectGreen(ended)
      for (const output of ['opentelemetry', 'experimental-prometheus-rw'])
        expect(ended.out).toContain(
          `k6 could not send its own metrics of polling to ${output}, or not all of them.`,
        )
      expect((await ended.record()).hazards.join()).toContain('K6_PROMETHEUS_RW_*')
    })
  })
