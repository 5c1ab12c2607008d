/** `verify`: what its command line means, and what it prints. */
import { takesColour } from '../report/console.ts'
import { Redactor } from '../record/redact.ts'
import { proxySecrets } from '../network/proxy.ts'
import { readCommandLine, requireTarget, type CommandStreams } from '../target-file/command-line.ts'
import { resolveTarget } from '../target-file/resolve.ts'
import { bundleFiles, contentsText, writeBundle } from './bundle.ts'
import { VERIFY_PAGE } from './page.ts'
import { renderVerification } from './render.ts'
import { exitCodeOf, verify, type Verification } from './verify.ts'
import { usageError } from '../errors.ts'
import { didYouMean } from '../nearest.ts'
import { keysOfFile } from '../target-file/keys.ts'
import { quoteSafely } from '../target-file/secrets.ts'
import type { Target } from '../target-file/target.ts'

export async function verifyCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { out }: CommandStreams,
  harnessVersion: string,
): Promise<number> {
  const { target: flags, values, words } = readCommandLine(VERIFY_PAGE, argv, env)
  requireTarget(flags, env, 'verify', words)
  // The layer of a key reports what a missing key costs.
  const named = { ...flags, allowMissingCredentials: true }
  const { hazards, ...target } = resolveTarget({ flags: named, env, cwd: process.cwd() })
  const redactor = new Redactor()
  for (const secret of proxySecrets(target.baseUrl, env))
    redactor.addSecret(secret, 'password of the proxy')
  const seen = await verify({
    target,
    hazards,
    redactor,
    env,
    ...(values.key && { keys: knownKeys(target, values.key) }),
  })
  const { exchanges: _kept, ...all } = seen
  const told = redacted(all, redactor)
  out.write(
    values.json === true
      ? `${JSON.stringify({ ...told, exitCode: exitCodeOf(seen) }, undefined, 2)}\n`
      : renderVerification(told, takesColour(out, env)),
  )
  if (values.bundle !== undefined) {
    const files = bundleFiles(seen, { target, redactor, env, harnessVersion })
    if (values.json !== true) out.write(contentsText(files, values.bundle))
    await writeBundle(values.bundle, files)
  }
  return exitCodeOf(seen)
}

/** Throws E_USAGE for what is neither a role nor a variable of the file. */
function knownKeys(target: Target, wanted: readonly string[]): readonly string[] {
  const keys = keysOfFile(target)
  const known = [...new Set(keys.flatMap(({ role, env }) => [role, env]))]
  const other = wanted.find((each) => !known.includes(each))
  if (other === undefined) return wanted
  throw usageError(
    `--key was ${quoteSafely(other)}, and no key has this role or stands in such a variable`,
    didYouMean(other, known, `Choose from ${known.join(', ') || 'none'}.`),
  )
}

/** The names of layers are ours. A key that spells the name of its role would have them hidden. */
function redacted(told: Verification, redactor: Redactor): Verification {
  const layers = told.layers.map(({ name, ...layer }) => ({ name, ...redactor.data(layer) }))
  return { ...redactor.data(told), layers }
}
