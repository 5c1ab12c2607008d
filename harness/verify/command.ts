/** `verify`: what its command line means, and what it prints. */
import { takesColour } from '../report/console.ts'
import { Redactor } from '../record/redact.ts'
import { proxySecrets } from '../network/proxy.ts'
import { readCommandLine, requireTarget, type CommandStreams } from '../target-file/command-line.ts'
import { resolveTarget } from '../target-file/resolve.ts'
import { bundleFiles, contentsText, writeBundle } from './bundle.ts'
import { renderVerification } from './render.ts'
import { exitCodeOf, verify } from './verify.ts'

const OPTIONS = {
  bundle: { type: 'string' },
  json: { type: 'boolean' },
} as const

export async function verifyCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { out }: CommandStreams,
  harnessVersion: string,
): Promise<number> {
  const { target: flags, values, words } = readCommandLine(argv, OPTIONS, env)
  requireTarget(flags, env, 'verify', words)
  // The layer of a key reports what a missing key costs.
  const named = { ...flags, allowMissingCredentials: true }
  const { hazards, ...target } = resolveTarget({ flags: named, env, cwd: process.cwd() })
  const redactor = new Redactor()
  for (const secret of proxySecrets(target.baseUrl, env))
    redactor.addSecret(secret, 'password of the proxy')
  const seen = await verify({ target, hazards, redactor, env })
  const { exchanges: _kept, ...told } = seen
  out.write(
    values.json === true
      ? `${JSON.stringify({ ...redactor.data(told), exitCode: exitCodeOf(seen) }, undefined, 2)}\n`
      : redactor.text(renderVerification(seen, takesColour(out, env))),
  )
  if (values.bundle !== undefined) {
    const files = bundleFiles(seen, { target, redactor, env, harnessVersion })
    if (values.json !== true) out.write(contentsText(files, values.bundle))
    await writeBundle(values.bundle, files)
  }
  return exitCodeOf(seen)
}
