/** Addresses of this machine that k6 sends from, one for each virtual user: a service may keep its counters by the caller's address. */
import { connect } from 'node:net'
import { isLoopback } from '../../network/loopback.ts'

/** Any address of the loopback range is this machine's on Linux, and on no other system. */
const PREFIX = '127.83.'
/** The third part for the first of several processes: each has addresses of its own. */
const FIRST_NETWORK = 64
const PER_NETWORK_MAX = 254
const WAIT_MS = 2000

/** The address of a virtual user, counted from 0, of one of several processes that share a plan. */
export function localAddress(user: number, instance = 0): string {
  return `${PREFIX}${FIRST_NETWORK + instance}.${1 + (user % PER_NETWORK_MAX)}`
}

/** k6's arguments that give each of so many virtual users of a process an address of its own; none where the plan asks for none. */
export function localAddressArguments(users: number | undefined, instance: number): string[] {
  if (users === undefined) return []
  const last = Math.min(users, PER_NETWORK_MAX) - 1
  return [`--local-ips=${localAddress(0, instance)}-${localAddress(last, instance)}`]
}

/** Whether the target, on this machine, can be connected to from such addresses. Sends nothing. */
export async function hasLocalAddresses(baseUrl: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl)
  if (!isLoopback(baseUrl) || hostname.startsWith('[')) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({
    host: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    localAddress: localAddress(0),
    family: 4,
    timeout: WAIT_MS,
  })
  socket.once('connect', () => resolve(true))
  socket.once('timeout', () => resolve(false))
  // No such address here, or nobody listens: what is sent to the target otherwise says which.
  socket.once('error', () => resolve(false))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
