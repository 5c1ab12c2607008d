/** What is there at once where nothing is waited for: most requests wait for nothing, and then need no promise. */
export type Eventually<T> = T | Promise<T>

/** Goes on with a value, at once or when it is there. */
export function chain<T, U>(
  value: Eventually<T>,
  follow: (value: T) => Eventually<U>,
): Eventually<U> {
  return value instanceof Promise ? value.then(follow) : follow(value)
}

/**
 * try and catch around something that is there at once or later. `failed` gets the error, and throws or gives a value. Both are told
 * what it is about, so that no request needs functions of its own.
 */
export function guarded<About, T>(
  about: About,
  attempt: (about: About) => Eventually<T>,
  failed: (error: unknown, about: About) => T,
): Eventually<T> {
  try {
    const value = attempt(about)
    return value instanceof Promise ? guardedLater(value, about, failed) : value
  } catch (error) {
    return failed(error, about)
  }
}

function guardedLater<About, T>(
  value: Promise<T>,
  about: About,
  failed: (error: unknown, about: About) => T,
): Promise<T> {
  return value.catch((error: unknown) => failed(error, about))
}
