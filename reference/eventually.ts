/** What is there at once where nothing is waited for: most requests wait for nothing, and then need no promise. */
export type Eventually<T> = T | Promise<T>

/** Goes on with a value, at once or when it is there. */
export function chain<T, U>(
  value: Eventually<T>,
  follow: (value: T) => Eventually<U>,
): Eventually<U> {
  return value instanceof Promise ? value.then(follow) : follow(value)
}

/** try and catch around something that is there at once or later. `failed` gets the error, and throws or gives a value. */
export function guarded<T>(
  attempt: () => Eventually<T>,
  failed: (error: unknown) => T,
): Eventually<T> {
  try {
    const value = attempt()
    return value instanceof Promise ? value.catch(failed) : value
  } catch (error) {
    return failed(error)
  }
}
