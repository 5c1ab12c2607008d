/** How the target is reached, as flags and environment say: a certificate of ours, one family of addresses, a proxy. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { createSecureContext } from 'node:tls'
import { proxyFor, unreadableProxy } from '../network/proxy.ts'
import { TARGET_VARIABLES, variable, type Environment, type TargetFlags } from './options.ts'
import type { TargetProblem } from './problems.ts'
import type { Network } from './target.ts'

type Sources = {
  readonly flags: TargetFlags
  readonly env: Environment
  readonly cwd: string
  readonly baseUrl: string
}

/** Undefined where the target is reached as any other. What is wrong goes into `problems`. */
export function readNetwork(sources: Sources, problems: TargetProblem[]): Network | undefined {
  const certificate = readCertificate(sources, problems)
  const family = readFamily(sources, problems)
  const unreadable = unreadableProxy(sources.baseUrl, sources.env)
  if (unreadable !== undefined)
    problems.push(
      usage(
        unreadable,
        'its value (not shown: it could hold a password) names no proxy.',
        `Set ${unreadable} to a URL such as http://proxy.example:3128, or unset it.`,
      ),
    )
  if (!certificate && family === undefined) return undefined
  return { ...certificate, ...(family === undefined ? {} : { family }) }
}

/** What a run has to know of a proxy: nobody else can tell whose addresses and times were measured. */
export function proxyHazards(baseUrl: string, env: Environment): string[] {
  const proxy = proxyFor(baseUrl, env)
  if (!proxy) return []
  return [
    `requests go through the proxy ${proxy.host} (${proxy.variable}): the address that the target sees and the latencies are the proxy's. NO_PROXY exempts hosts.`,
  ]
}

function usage(place: string, message: string, fix: string): TargetProblem {
  return { code: 'E_USAGE', place, message, fix }
}

function readFamily(
  { flags, baseUrl }: Sources,
  problems: TargetProblem[],
): Network['family'] | undefined {
  const { ipv4, ipv6 } = flags
  if (ipv4 !== true && ipv6 !== true) return undefined
  if (ipv4 === true && ipv6 === true) {
    problems.push(usage('--ipv4', '--ipv6 was given as well.', 'Leave one of them out.'))
    return undefined
  }
  const family = ipv4 === true ? 4 : 6
  const version = isIP(new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''))
  if (version !== 0 && version !== family)
    problems.push(
      usage(
        `--ipv${family}`,
        `the base URL holds an address of IPv${version}.`,
        `Leave --ipv${family} out, or name the host instead of its address.`,
      ),
    )
  return family
}

type Certificate = Required<Pick<Network, 'clientCertFile' | 'clientKeyFile'>>

function readCertificate(
  { flags, env, cwd, baseUrl }: Sources,
  problems: TargetProblem[],
): Certificate | undefined {
  const cert = flags.clientCert ?? variable(env, TARGET_VARIABLES.clientCert)
  const key = flags.clientKey ?? variable(env, TARGET_VARIABLES.clientKey)
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    const [given, missing] = cert === undefined ? ['key', 'cert'] : ['cert', 'key']
    const message = `it was given without --client-${missing}.`
    problems.push(usage(`--client-${given}`, message, `Give --client-${missing} FILE.pem as well.`))
    return undefined
  }
  if (baseUrl.startsWith('http:')) {
    const fix = 'Write https: in the base URL, or leave --client-cert and --client-key out.'
    problems.push(usage('--client-cert', 'the base URL is plain http.', fix))
    return undefined
  }
  const files = { clientCertFile: path.resolve(cwd, cert), clientKeyFile: path.resolve(cwd, key) }
  const flaw = certificateFlaw(files)
  if (flaw === undefined) return files
  const fix = 'Name a certificate and its key as PEM files, the key without a passphrase.'
  problems.push(usage('--client-cert', flaw, fix))
  return undefined
}

/** Why a certificate and its key cannot be used. Shows neither. */
function certificateFlaw({ clientCertFile, clientKeyFile }: Certificate): string | undefined {
  try {
    createSecureContext({ cert: readFileSync(clientCertFile), key: readFileSync(clientKeyFile) })
    return undefined
  } catch (error) {
    const { code = 'unknown reason', path: file } = error as NodeJS.ErrnoException
    return file === undefined
      ? `certificate and key cannot be used together (${code}).`
      : `${file} cannot be read (${code}).`
  }
}
