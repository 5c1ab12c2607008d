import { parseArgs } from 'node:util'
import { usageError } from '../errors.ts'
import { CLUSTER_PAGE } from './page.ts'
import type { ClusterOptions } from './manifests.ts'

/** What the command line says about the cluster, and what is left of it for the run itself. */
export type ClusterCommand = ClusterOptions & {
  /** Undefined: only help was asked for. */
  readonly directory: string | undefined
  /** Arguments of npm run load. */
  readonly rest: readonly string[]
}

const [{ options: OPTIONS }] = CLUSTER_PAGE.groups

/** Names as Kubernetes takes them. */
const NAME = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/

/** Takes what is about the cluster out of a command line. Throws E_USAGE. */
export function parseClusterOptions(argv: readonly string[]): ClusterCommand {
  const { values, tokens } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const own = new Set(
    tokens.flatMap((token) => {
      if (token.kind !== 'option' || !(token.name in OPTIONS)) return []
      const hasValueBehind = token.value !== undefined && !token.inlineValue
      return hasValueBehind ? [token.index, token.index + 1] : [token.index]
    }),
  )
  return {
    directory: textOf('--out', values.out),
    rest: argv.filter((_, index) => !own.has(index)),
    image: textOf('--runner-image', values['runner-image']) ?? OPTIONS['runner-image'].usual,
    secret: nameOf('--secret', values.secret) ?? OPTIONS.secret.usual,
    separate: values.separate === true,
    ...optionalNamespace(nameOf('--namespace', values.namespace)),
  }
}

function optionalNamespace(namespace: string | undefined): Pick<ClusterOptions, 'namespace'> {
  return namespace === undefined ? {} : { namespace }
}

function textOf(flag: string, value: string | boolean | undefined): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw usageError(`${flag} was given without a value`, 'Run with --help.')
}

function nameOf(flag: string, value: string | boolean | undefined): string | undefined {
  const name = textOf(flag, value)
  if (name === undefined || NAME.test(name)) return name
  throw usageError(
    `${flag} was ${JSON.stringify(name)}, a name of Kubernetes was expected`,
    'Use lower-case letters, digits, dots and dashes.',
  )
}
