import { request } from 'undici'
import { HarnessError } from '../errors.ts'
import { CONTROL_TOKEN_VARIABLE, variable } from '../target-file/options.ts'
import type { AccountMaker } from './control-accounts.ts'

const TIMEOUT_MS = 5_000

/** Speaks to the control side over HTTP. It is no part of the interface under test, so its calls are no exchanges. */
export function controlClient(
  baseUrl: string,
  token = variable(process.env, CONTROL_TOKEN_VARIABLE),
): AccountMaker {
  return {
    async createAccount(spec) {
      const response = await request(`${baseUrl}/accounts`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(spec),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      }).catch((cause: unknown) => {
        throw unusable(baseUrl, String(cause), cause)
      })
      const text = await response.body.text()
      if (response.statusCode >= 300)
        throw unusable(baseUrl, `${response.statusCode} ${text.slice(0, 200)}`)
      return JSON.parse(text) as Awaited<ReturnType<AccountMaker['createAccount']>>
    },
  }
}

function unusable(baseUrl: string, got: string, cause?: unknown): HarnessError {
  return new HarnessError(
    'E_ENVIRONMENT_UNREACHABLE',
    `the control side at ${baseUrl} did not make an account: ${got}`,
    `Start the service with its control port open, put its token into ${CONTROL_TOKEN_VARIABLE} if it asks for one, or remove "control" from the target file.`,
    { cause },
  )
}
