/** A client that costs little: plain sockets, one request at a time on each, answers told apart by their Content-Length. */
import { type Socket, connect } from 'node:net'

export type Answered = { readonly head: string; readonly body: Buffer }

const HEAD_END = Buffer.from('\r\n\r\n')

/** One keep-alive connection. */
class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: ((answer: Answered) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  constructor(baseUrl: string) {
    const { hostname, port } = new URL(baseUrl)
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#socket.on('error', (error) => this.#failed?.(error))
    this.#socket.on('close', () => this.#failed?.(new Error('The server closed the connection.')))
  }

  send(text: string): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.#waiting = resolve
      this.#failed = reject
      this.#socket.write(text)
    })
  }

  close(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const headBytes = this.#received.indexOf(HEAD_END)
    if (headBytes < 0) return
    const head = this.#received.toString('latin1', 0, headBytes)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const end = headBytes + HEAD_END.length + length
    if (this.#received.length < end) return
    const body = this.#received.subarray(headBytes + HEAD_END.length, end)
    this.#received = this.#received.subarray(end)
    this.#waiting?.({ head, body })
  }
}

export type Burst = {
  readonly baseUrl: string
  readonly requests: number
  readonly connections: number
  /** The whole request with the given serial number, as text. */
  readonly request: (serial: number) => string
}

/**
 * Keeps this process from sleeping. Whoever writes to a sleeping process pays for waking it: a server that answers slowly would be
 * charged for that with every answer, and one that answers quickly with none.
 */
function stayAwake(): () => void {
  let awake = true
  const spin = (): void => {
    if (awake) setImmediate(spin)
  }
  spin()
  return () => {
    awake = false
  }
}

/** Sends so many requests; rejects when one is not answered by 200. Returns the last answer. */
export async function sendBurst(burst: Burst): Promise<Answered> {
  const connections = Array.from({ length: burst.connections }, () => new Connection(burst.baseUrl))
  let sent = 0
  let last: Answered | undefined
  const run = async (connection: Connection): Promise<void> => {
    while (sent < burst.requests) {
      last = await connection.send(burst.request(sent++))
      if (!last.head.startsWith('HTTP/1.1 200'))
        throw new Error(`Got ${last.head.split('\r\n', 1)[0]}: ${last.body.toString()}`)
    }
  }
  const rest = stayAwake()
  try {
    await Promise.all(connections.map(run))
  } finally {
    rest()
    for (const connection of connections) connection.close()
  }
  if (last === undefined) throw new Error('No request was sent.')
  return last
}
