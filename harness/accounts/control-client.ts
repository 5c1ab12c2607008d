import { request } from 'undici'
import { HarnessError } from '../errors.ts'
import { CONTROL_TOKEN_VARIABLE, variable } from '../target-file/options.ts'
import type { AccountMaker } from './control-accounts.ts'

type Made = Awaited<ReturnType<AccountMaker['createAccount']>>

/** A control side that shares its processes with the service answers late while checks spend windows. */
const TIMEOUT_MS = 10_000

/** Some servers end a connection on which nothing comes, also while this process is too busy to write. */
const ATTEMPTS_MAX = 3
const ENDED = /^(?:UND_ERR_SOCKET|UND_ERR_HEADERS_TIMEOUT|ECONNRESET|EPIPE)$/

/** Speaks to the control side over HTTP. It is no part of the interface under test, so its calls are no exchanges. */
export function controlClient(
  baseUrl: string,
  token = variable(process.env, CONTROL_TOKEN_VARIABLE),
  timeoutMs = TIMEOUT_MS,
): AccountMaker {
  return {
    async createAccount(spec) {
      const send = (): ReturnType<typeof request> =>
        request(`${baseUrl}/accounts`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(spec),
          // A connection that rested may have ended.
          reset: true,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        })
      const response = await attempted(send).catch((cause: unknown) => {
        throw unusable(baseUrl, String(cause), cause)
      })
      const text = await response.body.text()
      if (response.statusCode >= 300)
        throw unusable(baseUrl, `${response.statusCode} ${text.slice(0, 200)}`)
      const made = accountIn(text)
      if (made) return made
      throw unusable(baseUrl, `expected "account" and "keys", got ${text.slice(0, 200)}`)
    },
  }
}

/** An identifier may be a number: records hold it as text. */
function accountIn(text: string): Made | undefined {
  try {
    const { account, keys } = JSON.parse(text) as { account?: unknown; keys?: unknown }
    const isNamed = typeof account === 'string' || typeof account === 'number'
    if (!isNamed || typeof keys !== 'object' || keys === null) return undefined
    return { account: String(account), keys: keys as Made['keys'] }
  } catch {
    return undefined
  }
}

/** Sent again where its connection ended, or nothing came: an account that is made twice does no harm. */
async function attempted<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
    try {
      return await send()
    } catch (cause) {
      if (!ENDED.test(String((cause as { code?: unknown }).code))) throw cause
    }
  }
  return send()
}

function unusable(baseUrl: string, got: string, cause?: unknown): HarnessError {
  return new HarnessError(
    'E_ENVIRONMENT_UNREACHABLE',
    `the control side at ${baseUrl} did not make an account: ${got}`,
    `Start the service with its control port open, put its token into ${CONTROL_TOKEN_VARIABLE} if it asks for one, or remove "control" from the target file.`,
    { cause },
  )
}
