import { request } from 'undici'
import { HarnessError } from '../errors.ts'
import { CONTROL_TOKEN_VARIABLE, variable } from '../target-file/options.ts'
import type { AccountMaker } from './control-accounts.ts'

const TIMEOUT_MS = 5_000

/** Some servers end a connection on which nothing comes, also while this process is too busy to write. */
const ATTEMPTS_MAX = 3
const ENDED = /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/

/** Speaks to the control side over HTTP. It is no part of the interface under test, so its calls are no exchanges. */
export function controlClient(
  baseUrl: string,
  token = variable(process.env, CONTROL_TOKEN_VARIABLE),
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
          headersTimeout: TIMEOUT_MS,
          bodyTimeout: TIMEOUT_MS,
        })
      const response = await attempted(send).catch((cause: unknown) => {
        throw unusable(baseUrl, String(cause), cause)
      })
      const text = await response.body.text()
      if (response.statusCode >= 300)
        throw unusable(baseUrl, `${response.statusCode} ${text.slice(0, 200)}`)
      return JSON.parse(text) as Awaited<ReturnType<AccountMaker['createAccount']>>
    },
  }
}

/** Sent again where its connection ended: an account that is made twice does no harm. */
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
