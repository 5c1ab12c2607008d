import { readFileSync } from 'node:fs'
import { proxyFor } from '../network/proxy.ts'
import type { Target } from '../target-file/target.ts'
import { UndiciTransport, type UndiciTransportOptions, type Way } from './undici-transport.ts'

/** The way to a target: through the proxy of the environment, with the certificate and the family that were given. */
export function wayTo({ network = {} }: Pick<Target, 'network'>, env: NodeJS.ProcessEnv): Way {
  const { clientCertFile: cert, clientKeyFile: key, family } = network
  return {
    proxyFor: (url) => proxyFor(url, env),
    ...(family === undefined ? {} : { family }),
    ...(cert === undefined || key === undefined
      ? {}
      : { certificate: { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } }),
  }
}

export function openTransport(
  target: Pick<Target, 'network'>,
  options: Omit<UndiciTransportOptions, 'way'> = {},
  env: NodeJS.ProcessEnv = process.env,
): UndiciTransport {
  return new UndiciTransport({ ...options, way: wayTo(target, env) })
}
