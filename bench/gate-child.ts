/** The bare loop beside the suite: the exchanges of a run's record are sent again by undici.request, as many as the run sent. */
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'undici'
import { listen } from '../reference/server.ts'
import type { RunRecord } from '../schemas/generated/run-record.ts'
import { benchService } from './bench-service.ts'

const IN_FLIGHT = 20

const [file = '', countText = ''] = process.argv.slice(2)
const { exchanges } = JSON.parse(await readFile(file, 'utf8')) as RunRecord
const requests = exchanges.map(({ method, url, requestBody }) => ({
  method,
  path: url.slice(new URL(url).origin.length),
  body: requestBody ?? null,
}))
const count = Number(countText)
const { service, key } = benchService()
const server = await listen(service)
const dispatcher = new Agent({ connections: IN_FLIGHT })
const headers = { accept: 'application/json', 'content-type': 'application/json', 'x-api-key': key }
let sent = 0

async function sendInTurns(): Promise<void> {
  while (sent < count) {
    const next = requests[sent % requests.length]
    if (!next) throw new Error('Got a record without exchanges; expected those of a run.')
    const { method, path, body } = next
    sent += 1
    const answer = await request(server.baseUrl + path, { method, body, headers, dispatcher })
    await answer.body.text()
  }
}

await Promise.all(Array.from({ length: IN_FLIGHT }, sendInTurns))
await dispatcher.close()
process.exit()
