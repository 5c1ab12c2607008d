import type { Options } from 'k6/options'
import { NETWORK_ENV } from '../protocol/plan.ts'

/** The certificate that k6 shows, where there is one; in k6's init context. */
export function networkOptions(): Pick<Options, 'tlsAuth'> {
  const host = __ENV[NETWORK_ENV.host]
  const certFile = __ENV[NETWORK_ENV.certFile]
  const keyFile = __ENV[NETWORK_ENV.keyFile]
  if (!host || !certFile || !keyFile) return {}
  return { tlsAuth: [{ domains: [host], cert: open(certFile), key: open(keyFile) }] }
}
