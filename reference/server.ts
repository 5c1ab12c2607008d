/** Serves the reference service over HTTP, and its control side over a port of its own where that is asked for. */
import { isLoopbackName } from './control/access.ts'
import { handlerOfControl } from './control/http.ts'
import { type Patience, listenHttp } from './http/adapter.ts'
import type { Service } from './service.ts'

export type ServerOptions = {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Opens the control side on this port (0: any free one). Default: not opened. */
  readonly controlPort?: number
  /** Where the control side listens. Default 127.0.0.1: whoever reaches it can make keys. */
  readonly controlHost?: string
  /** What callers of the control side have to present. Needed where others than this machine reach it. */
  readonly controlToken?: string
  /** How long peers may take. */
  readonly patience?: Patience
}

export type RunningServer = {
  readonly baseUrl: string
  readonly controlBaseUrl?: string
  close(): Promise<void>
}

export const LOOPBACK = '127.0.0.1'

/** Resolves once every port is open; rejects, with everything closed again, when one cannot be. */
export async function listen(
  service: Service,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const {
    host = LOOPBACK,
    port = 0,
    controlPort,
    controlHost = LOOPBACK,
    controlToken,
    patience,
  } = options
  if (controlPort !== undefined && controlToken === undefined && !isLoopbackName(controlHost))
    throw new RangeError(
      `Got the control side on ${controlHost} without a token; whoever reaches it could make keys.`,
    )
  const main = await listenHttp(service, { host, port, ...(patience && { patience }) })
  if (controlPort === undefined) return main
  const handler = handlerOfControl(service, controlToken)
  try {
    const control = await listenHttp(handler, { host: controlHost, port: controlPort })
    return {
      baseUrl: main.baseUrl,
      controlBaseUrl: control.baseUrl,
      close: async () => {
        await Promise.all([main.close(), control.close()])
      },
    }
  } catch (error) {
    await main.close()
    throw error
  }
}
