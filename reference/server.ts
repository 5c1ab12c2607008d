/** Serves the reference service over HTTP, and its control side over a port of its own where that is asked for. */
import { handlerOfControl } from './control/http.ts'
import { listenHttp } from './http/adapter.ts'
import type { Service } from './service.ts'

export type ServerOptions = {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Opens the control side on this loopback port (0: any free one). Default: not opened. */
  readonly controlPort?: number
}

export type RunningServer = {
  readonly baseUrl: string
  readonly controlBaseUrl?: string
  close(): Promise<void>
}

/** The control side makes keys: it never listens beyond this machine. */
const CONTROL_HOST = '127.0.0.1'

/** Resolves once every port is open; rejects, with everything closed again, when one cannot be. */
export async function listen(
  service: Service,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 0, controlPort } = options
  const main = await listenHttp(service, { host, port })
  if (controlPort === undefined) return main
  const handler = handlerOfControl(service)
  try {
    const control = await listenHttp(handler, { host: CONTROL_HOST, port: controlPort })
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
