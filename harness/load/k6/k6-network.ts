/** How k6 reaches the target: as the checks do. Its proxy comes from the environment, which it reads by the same rules. */
import { NETWORK_ENV } from '../../../load/protocol/plan.ts'
import type { Target } from '../../target-file/target.ts'

export type K6Network = Pick<Target, 'baseUrl' | 'network'>

/** k6's argument for one family of addresses; none where both will do. */
export function familyArguments({ network }: K6Network): string[] {
  return network?.family === undefined ? [] : [`--dns=policy=onlyIPv${network.family}`]
}

/** Where a scenario finds the certificate that it shows: the files stay where they are, since a plan would keep the key. */
export function certificateEnvironment({ baseUrl, network }: K6Network): Record<string, string> {
  const { clientCertFile, clientKeyFile } = network ?? {}
  if (clientCertFile === undefined || clientKeyFile === undefined) return {}
  return {
    [NETWORK_ENV.host]: new URL(baseUrl).hostname,
    [NETWORK_ENV.certFile]: clientCertFile,
    [NETWORK_ENV.keyFile]: clientKeyFile,
  }
}
