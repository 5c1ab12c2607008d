import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'

/**
 * Go does not read NODE_EXTRA_CA_CERTS: where it names authorities, k6 gets all that Node trusts, and what SSL_CERT_FILE holds, in one
 * file of the run's directory. On macOS and Windows Go asks the system alone.
 */
export async function trustEnvironment(
  runDir: string,
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string>> {
  if (!env['NODE_EXTRA_CA_CERTS']) return {}
  const own = env['SSL_CERT_FILE'] ? [await readFile(env['SSL_CERT_FILE'], 'utf8')] : []
  const file = join(runDir, 'authorities.pem')
  await writeFile(file, [...getCACertificates('default'), ...own].join('\n'))
  return { SSL_CERT_FILE: file }
}
