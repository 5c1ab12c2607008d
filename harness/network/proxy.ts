/** The proxy that the environment names, read as Go reads it, so that checks and k6 take the same way. */
import { isExempt } from './no-proxy.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type Proxy = {
  /** With user and password, where the environment gives them: never shown. */
  readonly url: string
  /** What may be shown. */
  readonly host: string
  /** The variable that names it. */
  readonly variable: string
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:'])

/** The first of the names that holds something: Go asks for the upper case first. */
function firstOf(env: Environment, name: string): { name: string; value: string } | undefined {
  for (const each of [name, name.toLowerCase()])
    if (env[each]) return { name: each, value: env[each] }
  return undefined
}

/** What names a proxy for a URL, read or not readable; undefined where requests go there directly. */
function named(url: string, env: Environment): { name: string; value: string } | undefined {
  if (isExempt(url, firstOf(env, 'NO_PROXY')?.value ?? '')) return undefined
  return firstOf(env, url.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY')
}

function parse(value: string): URL | undefined {
  const text = /^[a-z][\w+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const url = URL.parse(text)
  if (!url || !SCHEMES.has(url.protocol) || url.hostname === '') return undefined
  const isWritten = [url.username, url.password].every((each) => decoded(each) !== undefined)
  return isWritten ? url : undefined
}

/** The proxy for a URL; undefined where requests go there directly. */
export function proxyFor(url: string, env: Environment): Proxy | undefined {
  const given = named(url, env)
  const proxy = given && parse(given.value)
  return proxy && { url: proxy.href, host: proxy.host, variable: given.name }
}

/** The variable that ought to name a proxy for the URL and does not. */
export function unreadableProxy(url: string, env: Environment): string | undefined {
  const given = named(url, env)
  return given && !parse(given.value) ? given.name : undefined
}

/** User and password of a proxy, which must not be printed. */
export function proxySecrets(url: string, env: Environment): string[] {
  const proxy = proxyFor(url, env)
  if (!proxy) return []
  const { password } = new URL(proxy.url)
  return [...new Set([password, decoded(password) ?? ''])].filter((each) => each !== '')
}

/** Nothing where a percent sign stands before no two digits of base 16. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
