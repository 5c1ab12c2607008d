import { Session, type SessionOptions } from '../../conformance/engine/session.ts'

/** A session of a test: every purchase is permitted, and nothing interrupts it. */
export function sessionOn(options: Omit<SessionOptions, 'permission' | 'signal'>): Session {
  return new Session({ ...options, permission: {}, signal: new AbortController().signal })
}
