/** What one look at the target says. */

export type State = 'pass' | 'warn' | 'fail' | 'not tried'

export type Layer = {
  readonly name: string
  readonly state: State
  /** What was seen, or why nothing was looked at. */
  readonly seen: string
  /** What to do next, in one line. */
  readonly remedy?: string
}

export function pass(name: string, seen: string): Layer {
  return { name, state: 'pass', seen }
}

export function warn(name: string, seen: string, remedy: string): Layer {
  return { name, state: 'warn', seen, remedy }
}

export function fail(name: string, seen: string, remedy: string): Layer {
  return { name, state: 'fail', seen, remedy }
}

export function notTried(name: string, seen: string, remedy?: string): Layer {
  return { name, state: 'not tried', seen, ...(remedy === undefined ? {} : { remedy }) }
}
