/** What programs that we start get of our environment: what they need, and no key. */

/** Where programs and temporary files are, how the network is reached, whom to trust there. */
const NEEDED: ReadonlySet<string> = new Set([
  'PATH',
  'PATHEXT',
  'HOME',
  'USERPROFILE',
  'LOCALAPPDATA',
  'SystemRoot',
  'TMPDIR',
  'TEMP',
  'TMP',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
])

/** `alsoNeeds` names what one program needs besides. */
export function childEnvironment(
  env: NodeJS.ProcessEnv,
  alsoNeeds: (name: string) => boolean = () => false,
): Record<string, string> {
  const passedOn: Record<string, string> = {}
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (NEEDED.has(name) || alsoNeeds(name))) passedOn[name] = value
  return passedOn
}
