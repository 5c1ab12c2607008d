import type { Role } from '../../../contract/capabilities.ts'
import type { CheckContext } from '../../engine/kit.ts'

/** The end of the queue for each key, by account and role. */
const queues = new Map<string, Promise<void>>()

/**
 * Waits until no other check spends the cap of this key, then holds it until disposal: on a target without fresh accounts all checks
 * share the key, and two checks on one cap would disturb each other.
 */
export async function holdCap({ keys }: CheckContext, role: Role): Promise<Disposable> {
  const name = `${keys.key(role).account} ${role}`
  const before = queues.get(name)
  const { promise, resolve } = Promise.withResolvers<void>()
  queues.set(name, promise)
  await before
  return {
    [Symbol.dispose]: () => {
      if (queues.get(name) === promise) queues.delete(name)
      resolve()
    },
  }
}
