/** What the way to the target looks like: names, connections, proxy, certificate. Pure. */
import type { AddressProbe, WayProbe } from './way-probe.ts'
import { fail, notTried, pass, warn, type Layer } from './layer.ts'

/** A certificate that ends within so many days is reported. */
const DAYS_MIN = 14
const DAY_MS = 86_400_000

export function wayLayers(probe: WayProbe, isTls: boolean, nowMs: number): Layer[] {
  return [names(probe), connections(probe), proxy(probe), certificate(probe, isTls, nowMs)]
}

function names({ host, isAddress, family, lookupFailure, addresses, proxy }: WayProbe): Layer {
  const name = 'DNS'
  if (proxy) return notTried(name, `the proxy looks up ${host}`)
  if (isAddress) return pass(name, `${host} is an address`)
  if (lookupFailure && family)
    return fail(
      name,
      `${host} has no address of IPv${family} (${lookupFailure.code})`,
      `Leave --ipv${family} out, or correct the host of the base URL.`,
    )
  if (lookupFailure)
    return fail(
      name,
      `${host} is not known (${lookupFailure.code})`,
      'Correct the host of the base URL, or ask whether the name is known outside of a VPN.',
    )
  const found = addresses.map(({ address }) => address).join(', ')
  const missing = ([4, 6] as const).filter((each) => !addresses.some((a) => a.family === each))
  const only = missing.map((family) => `, none of IPv${family}`).join('')
  return pass(name, `${host} has ${found}${only}`)
}

function connections({ port, addresses, proxy, lookupFailure }: WayProbe): Layer {
  const name = 'TCP'
  if (proxy) return notTried(name, 'the proxy connects')
  if (lookupFailure) return notTried(name, 'there is no address')
  const lost = addresses.filter(({ failure }) => failure)
  if (lost.length === addresses.length)
    return fail(
      name,
      lost.map((each) => connectionText(each, port)).join('; '),
      'Start the service, or correct host and port; then look at firewall and VPN.',
    )
  const all = addresses.map((each) => connectionText(each, port)).join('; ')
  const [first] = lost
  if (!first) return pass(name, all)
  return warn(name, all, `Pass --ipv${first.family === 6 ? 4 : 6}, or mend the other addresses.`)
}

function connectionText({ address, connectMs, failure }: AddressProbe, port: number): string {
  const at = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
  return failure ? `${at} ${failure.code}` : `${at} in ${Math.ceil(connectMs ?? 0)} ms`
}

function proxy({ proxy: seen }: WayProbe): Layer {
  const name = 'proxy'
  if (!seen) return pass(name, 'none: requests go to the target directly')
  const { host, failure, connectMs = 0 } = seen
  if (!failure)
    return warn(
      name,
      `${host} in ${Math.ceil(connectMs)} ms: addresses and latencies are its own`,
      'Allowlists must hold the address of the proxy; name the host in NO_PROXY to go directly.',
    )
  return fail(
    name,
    `${host}: ${failure.code}, ${failure.message}`,
    failure.code === 'HTTP 407'
      ? 'Write user and password into the URL of the proxy.'
      : 'Correct HTTPS_PROXY or HTTP_PROXY, let the proxy permit the host, or name it in NO_PROXY.',
  )
}

function certificate({ certificate: seen, host }: WayProbe, isTls: boolean, nowMs: number): Layer {
  const name = 'TLS'
  if (!isTls) return notTried(name, 'the base URL is plain http')
  if (!seen) return notTried(name, 'there is no connection')
  const { failure, distrust, protocol, subject, issuer, chain = [], validTo = '' } = seen
  if (failure)
    return fail(
      name,
      `no TLS connection (${failure.code}: ${failure.message})`,
      'Check that the port speaks TLS (https: or http:); if it wants a certificate of its client: --client-cert FILE --client-key FILE.',
    )
  const days = Math.floor((Date.parse(validTo) - nowMs) / DAY_MS)
  const told = `${protocol}, ${chain.join(' < ')}, issued by ${issuer}, until ${validTo.slice(0, 10)}`
  if (days < 0)
    return fail(
      name,
      `${subject}: expired (${told})`,
      'Have the certificate renewed; nothing can be sent until then.',
    )
  if (distrust !== undefined)
    return fail(
      name,
      `${distrust}: ${told}`,
      /altnames|HOSTNAME/i.test(distrust)
        ? `Correct the host of the base URL: the certificate is not for ${host}.`
        : 'Name the certificate of the authority that issued it: NODE_EXTRA_CA_CERTS=FILE.pem.',
    )
  if (days < DAYS_MIN)
    return warn(name, `ends in ${days} days (${told})`, 'Have the certificate renewed in time.')
  return pass(name, told)
}
