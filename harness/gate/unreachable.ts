/** Why a first request got no answer that can be read, by the errors of undici, Node and OpenSSL. */
import type { Exchange, TransportError } from '../client/exchange.ts'
import { headerValue } from '../client/headers.ts'
import { HarnessError, type ErrorCode } from '../errors.ts'

type Symptom = {
  readonly of: (error: TransportError, baseUrl: string) => boolean
  readonly code?: ErrorCode
  /** What the target does, after its address. */
  readonly text: (error: TransportError) => string
  readonly nextStep: string
}

const shown = ({ code, message }: TransportError): string =>
  code === '' || code === message ? message : `${code}: ${message}`

/** The first that fits is reported. */
const SYMPTOMS: readonly Symptom[] = [
  {
    of: ({ code }) => code === 'UND_ERR_HEADERS_OVERFLOW',
    text: () => 'answers with headers of more than 16 KiB together, which no client has to read',
    nextStep:
      'Find out what adds to the headers of its answers (cookies, traces, a proxy) and make them shorter.',
  },
  {
    of: ({ code }) => code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    text: () => 'answers with a Content-Length that cannot be matched with the length of the body',
    nextStep:
      'Correct Content-Length where the answer is made or changed: one at most, none beside Transfer-Encoding. A space after its digits is allowed by HTTP (RFC 9112, 5), but the client used here cannot read it: leave it out.',
  },
  {
    of: ({ message }) => message.includes('Unexpected whitespace after header value'),
    code: 'E_ENVIRONMENT_STRANGER',
    text: () =>
      'folds a header over two lines, which HTTP/1.1 does not allow any more (RFC 9112, 5.2)',
    nextStep: 'Write each header of an answer on one line, or find the proxy that folds them.',
  },
  {
    of: ({ message }) => /Proxy (?:Authentication Required|response) \(\d{3}\)/.test(message),
    text: ({ message }) => {
      const [, status, proxy] =
        /\((\d{3})\).*?(?:\(through the proxy (\S+)\))?$/.exec(message) ?? []
      return `is not reached: the proxy ${proxy ?? ''} refuses with HTTP ${status}`
    },
    nextStep:
      'For HTTP 407, write user and password into the URL of the proxy (HTTPS_PROXY, HTTP_PROXY). Otherwise let the proxy permit the host, or name the host in NO_PROXY.',
  },
  {
    of: ({ message }) => message.includes('100 Continue'),
    text: ({ message }) => `cannot be read: ${message}`,
    nextStep:
      'Let the service, or what stands before it, answer without 100 (Continue): no request of the harness expects one.',
  },
  {
    of: ({ message }) => message === 'bad upgrade',
    text: () => 'answers 101 (Switching Protocols) to a request that asks for no other protocol',
    nextStep:
      'Check that the base URL points at the ordering service, and not at a WebSocket server.',
  },
  {
    of: ({ code, message }) =>
      code.startsWith('HPE_') || message.includes('does not match the HTTP'),
    code: 'E_ENVIRONMENT_STRANGER',
    text: ({ message }) => `takes connections but does not speak HTTP (${message})`,
    nextStep: 'Check the port and the scheme (http or https) of the base URL.',
  },
  {
    of: ({ code }) =>
      /^(?:ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/.test(code),
    text: ({ code }) => `shows a certificate that is not trusted here (${code})`,
    nextStep:
      'Name the certificate of the authority that issued it: NODE_EXTRA_CA_CERTS=FILE.pem (load takes it over for k6), or correct the host name of the base URL.',
  },
  {
    // How a server ends that wants a certificate of ours, or another one: by an alert, or by hanging up.
    of: ({ code }, baseUrl) =>
      baseUrl.startsWith('https:') &&
      /^(?:ERR_SSL_.*(?:CERTIFICATE|HANDSHAKE_FAILURE|UNKNOWN_CA).*|ECONNRESET|UND_ERR_SOCKET)$/.test(
        code,
      ),
    text: (error) => `ended the TLS connection without an answer (${shown(error)})`,
    nextStep:
      'If it wants a certificate of its client, show one: --client-cert FILE.pem --client-key FILE.pem. Otherwise look at its log, and at what stands before it.',
  },
  {
    of: ({ code }) => code === 'UND_ERR_SOCKET' || code === 'ECONNRESET',
    text: (error) => `does not answer: it hangs up before its answer is whole (${shown(error)})`,
    nextStep:
      'Look at the log of the service, and at what stands before it. The service may end on this request, or announce a longer body than it sends.',
  },
]

/** Throws E_ENVIRONMENT_* with what the error says of the target and what to do about it. */
export function failUnreachable(error: TransportError, baseUrl: string): never {
  throw unreachable(error, baseUrl)
}

export function unreachable(error: TransportError, baseUrl: string): HarnessError {
  const symptom = SYMPTOMS.find(({ of }) => of(error, baseUrl))
  if (symptom)
    return new HarnessError(
      symptom.code ?? 'E_ENVIRONMENT_UNREACHABLE',
      `${baseUrl} ${symptom.text(error)}`,
      symptom.nextStep,
    )
  return new HarnessError(
    'E_ENVIRONMENT_UNREACHABLE',
    `${baseUrl} does not answer (${shown(error)})`,
    'Start the service, or correct the base URL (--base-url, ORDERING_BASE_URL or baseUrl in the target file). npm run verify looks at DNS, TCP, proxy and TLS one by one.',
  )
}

/** What to do where another service answers. A redirect from http to https is what a partner meets first. */
export function strangerStep(answer: Exchange | undefined, baseUrl: string): string {
  const location = answer && headerValue(answer, 'location')
  return location === undefined
    ? `Correct the base URL (${baseUrl}): the ordering service itself, without /api/v1, not a proxy or a login page.`
    : `If the service is where it redirects to (${location}), give that address as the base URL; redirects are not followed.`
}
