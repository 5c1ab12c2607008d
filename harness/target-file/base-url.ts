import { describeSafely } from './secrets.ts'
import type { TargetProblem } from './problems.ts'

type Found =
  | { readonly url: string }
  | { readonly problem: Pick<TargetProblem, 'code' | 'message' | 'fix'> }

const EXAMPLE = 'https://orders.example.com'

function refuse(message: string, fix: string, code: TargetProblem['code']): Found {
  return { problem: { code, message, fix } }
}

/** What is wrong with a URL that parses; its text is shown only where it can hold no secret. */
function flaw(url: URL, code: TargetProblem['code']): Found | undefined {
  if (url.username !== '' || url.password !== '')
    return refuse(
      'the base URL holds a user name or password (not shown).',
      'Remove it: keys are given by environment variables, as references.',
      'E_TARGET_SECRET',
    )
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse(
      `got a URL with the scheme "${url.protocol}"; expected http: or https:.`,
      `Write it as ${EXAMPLE}.`,
      code,
    )
  if (url.search !== '' || url.hash !== '')
    return refuse(
      'the base URL has a query or a fragment (not shown).',
      'Remove everything from "?" or "#" on.',
      code,
    )
  const version = /\/api\/v\d+\/?$/.exec(url.pathname)?.[0]
  if (version !== undefined)
    return refuse(
      `got a base URL that ends with ${version}; the paths of the operations hold the version.`,
      `Remove ${version} from its end.`,
      code,
    )
  return undefined
}

/** Checks a base URL and returns it without a trailing slash. `code` is that of ordinary problems. */
export function readBaseUrl(text: string, code: TargetProblem['code']): Found {
  if (!URL.canParse(text) || text.trim() !== text)
    return refuse(
      `got ${text.includes('@') ? 'a text that is no URL (not shown: it could hold a password)' : describeSafely(text)}; expected an absolute URL.`,
      `Write it as ${EXAMPLE}.`,
      code,
    )
  const url = new URL(text)
  const found = flaw(url, code)
  if (found) return found
  return { url: (url.origin + url.pathname).replace(/\/+$/, '') }
}
