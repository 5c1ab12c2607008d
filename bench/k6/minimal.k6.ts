/** As little as k6 can do: a GET, and nothing of its answer. */
import http from 'k6/http'
import type { Options } from 'k6/options'
import { readSetting } from './setting.ts'

const { url, key, requests, virtualUsers } = readSetting()
const params = { headers: { 'X-API-Key': key } }

export const options: Options = {
  scenarios: {
    bench: { executor: 'shared-iterations', vus: virtualUsers, iterations: requests },
  },
}

export default function minimal(): void {
  http.get(url, params)
}
