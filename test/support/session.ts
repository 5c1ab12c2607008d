import { Session, type SessionOptions } from '../../conformance/engine/session.ts'

/** A session of a test: every purchase is permitted, and nothing interrupts it but the given signal. */
export function sessionOn(
  options: Omit<SessionOptions, 'permission' | 'signal'> & Partial<Pick<SessionOptions, 'signal'>>,
): Session {
  return new Session({ signal: new AbortController().signal, ...options, permission: {} })
}
