/** Finds the key of every role: named by the target file, or given by the environment. */
import { currencyCode } from '../money.ts'
import { listed } from '../text.ts'
import { ACCOUNT_OF_FULL, ROLES, type Role } from '../../contract/capabilities.ts'
import type { Credential as FileCredential, TargetFile } from '../../schemas/generated/target.ts'
import { defaultAccount } from './defaults.ts'
import { KEY_VARIABLE, variable, type Environment, type GivenKey } from './options.ts'
import type { TargetProblem } from './problems.ts'
import { keyProblem, looksLikeSecret } from './secrets.ts'
import type { Credential, Origin } from './target.ts'

/** One role's key before it is checked against the others. */
type Found = {
  readonly credential: Credential
  readonly origin: Origin
  /** Where it was named: a place of the file or a variable. */
  readonly place: string
}

export type CredentialSources = {
  readonly file: Partial<TargetFile>
  readonly place: (pointer: string) => string
  readonly given: readonly GivenKey[]
  readonly env: Environment
  readonly allowMissing: boolean
}

export type FoundCredentials = {
  readonly credentials: Partial<Record<Role, Credential>>
  readonly moreKeys: readonly Credential[]
  readonly origins: Readonly<Record<string, Origin>>
  readonly problems: readonly TargetProblem[]
  readonly hazards: readonly string[]
}

type Collected = {
  found: Map<Role, Found>
  more: Found[]
  problems: TargetProblem[]
  hazards: string[]
  /** Variables of the file that are not set, each with its role. */
  unset: string[]
}

function details(
  role: Role,
  described: FileCredential | undefined,
): Omit<Credential, 'secret' | 'env'> {
  const { account, transactionLimit, allowlist, scopes } = described ?? {}
  return {
    role,
    account: account ?? defaultAccount(role),
    ...(transactionLimit === undefined
      ? {}
      : {
          transactionLimit: {
            used: '0',
            ...transactionLimit,
            currency: currencyCode(transactionLimit.currency) ?? '',
          },
        }),
    ...(allowlist === undefined ? {} : { allowlist }),
    ...(scopes === undefined ? {} : { scopes }),
  }
}

type Described = { readonly role: Role; readonly described: FileCredential; readonly place: string }

/** Every key that the file names, those of one role in their order. */
function describedIn({ file, place }: Pick<CredentialSources, 'file' | 'place'>): Described[] {
  return (
    Object.entries(file.credentials ?? {}) as [Role, FileCredential | FileCredential[]][]
  ).flatMap(([role, given]) =>
    Array.isArray(given)
      ? given.map((described, index) => ({
          role,
          described,
          place: place(`/credentials/${role}/${index}/env`),
        }))
      : [{ role, described: given, place: place(`/credentials/${role}/env`) }],
  )
}

function fromFile(
  { role, described, place }: Described,
  sources: CredentialSources,
  into: Collected,
): void {
  const secret = variable(sources.env, described.env)
  if (secret !== undefined) {
    const found: Found = {
      credential: { ...details(role, described), secret, env: described.env },
      origin: 'file',
      place,
    }
    const isGiven = sources.given.some((key) => key.role === role)
    if (isGiven || into.found.has(role)) into.more.push(found)
    else into.found.set(role, found)
  } else if (sources.file.control !== undefined) {
    // Fresh accounts take the place of the file's keys.
  } else if (sources.allowMissing) into.unset.push(`${described.env} (role "${role}")`)
  else into.problems.push(missingVariable(role, place, described.env))
}

/** Names that are no variable's and could be the key itself, whichever key is used in the end. */
function secretsAsNames(sources: CredentialSources): TargetProblem[] {
  return describedIn(sources)
    .filter(({ described }) => variable(sources.env, described.env) === undefined)
    .filter(({ described }) => looksLikeSecret(described.env))
    .map(({ described, place }) => secretAsName(place, described.env))
}

function secretAsName(place: string, text: string): TargetProblem {
  return {
    code: 'E_TARGET_SECRET',
    place,
    message: `the text of ${text.length} characters here (not shown) names no variable that is set and looks like the key itself.`,
    fix: 'Put the key into an environment variable and its name here; if the file was shared, rotate the key.',
  }
}

function missingVariable(role: Role, place: string, env: string): TargetProblem {
  return {
    code: 'E_TARGET_ENV_MISSING',
    place,
    message: `the environment variable ${env} is not set or empty. It holds the key of role "${role}" (${ROLES[role]}); without it, the checks that need this role are untested.`,
    fix: `Set ${env}, remove the role from the file, or pass --allow-missing-credentials.`,
  }
}

function fromEnvironment(key: GivenKey, sources: CredentialSources, into: Collected): void {
  const described = describedIn(sources).find(({ role }) => role === key.role)?.described
  if (described !== undefined && variable(sources.env, described.env) !== key.secret)
    into.hazards.push(
      `${key.env} takes the place of ${described.env}, which the target file names for role "${key.role}".`,
    )
  into.found.set(key.role, {
    credential: { ...details(key.role, described), secret: key.secret, env: key.env },
    origin: described?.env === key.env ? 'file' : 'environment',
    place: key.env,
  })
}

function unsendableKeys(found: readonly Found[]): TargetProblem[] {
  return found.flatMap(({ credential, place }) => {
    const problem = keyProblem(credential.secret)
    if (problem === undefined) return []
    return [
      {
        code: 'E_TARGET_ENV_MISSING',
        place,
        message: `the key of role "${credential.role}" in ${credential.env} ${problem}, so it cannot be sent as a header.`,
        fix: `Set ${credential.env} to the key alone: without quotes, and without the line break that a file read into it may end with.`,
      },
    ]
  })
}

/** Roles that one key may fill at once: nothing in their meaning excludes the others. */
const MAY_SHARE: ReadonlySet<Role> = new Set<Role>(['full', 'allowed', 'capped', 'funds'])

function sharedKeys(found: readonly Found[]): TargetProblem[] {
  const firstBySecret = new Map<string, Found>()
  return found.flatMap((each) => {
    const first = firstBySecret.get(each.credential.secret)
    firstBySecret.set(each.credential.secret, first ?? each)
    if (first === undefined) return []
    const roles = [first.credential.role, each.credential.role]
    if (roles.every((role) => MAY_SHARE.has(role))) return []
    return [
      {
        code: 'E_TARGET_FILE_INVALID',
        place: each.place,
        message: `the roles "${roles.join('" and "')}" have the same key; "${each.credential.role}" is ${ROLES[each.credential.role]}.`,
        fix: `Give "${each.credential.role}" a key of its own, or leave the role out.`,
      },
    ]
  })
}

function wrongAccounts(found: readonly Found[]): TargetProblem[] {
  const full = found.filter(({ credential }) => credential.role === 'full')
  const accounts = full.map(({ credential }) => credential.account)
  const [main] = accounts
  if (main === undefined) return []
  const bound: readonly Role[] = ACCOUNT_OF_FULL
  return found.flatMap(({ credential: { role, account }, place }) => {
    const problem = (message: string): TargetProblem[] => [
      {
        code: 'E_TARGET_FILE_INVALID',
        place,
        message,
        fix: `Correct credentials.${role}.account, give "full" a key of that account too, or leave the role out.`,
      },
    ]
    if (bound.includes(role) && !accounts.includes(account))
      return problem(`role "${role}" is in another account than "full"; it is ${ROLES[role]}.`)
    const shared = found.find(
      (each) => each.credential.role !== 'background' && each.credential.account === account,
    )
    if (role === 'background' && shared)
      return problem(
        `role "background" is in the account of "${shared.credential.role}"; it is ${ROLES.background}.`,
      )
    return role === 'stranger' && account === main
      ? problem(`role "stranger" is in the account of "full"; it is ${ROLES.stranger}.`)
      : []
  })
}

/** One sentence for all: seventeen of them would hide everything else. */
function unsetVariables({ unset }: Collected): string[] {
  if (unset.length === 0) return []
  const [verb, roles] = unset.length === 1 ? ['is', 'this role'] : ['are', 'these roles']
  return [`${listed(unset, UNSET_MAX)} ${verb} not set. Checks that act in ${roles} are untested.`]
}

const UNSET_MAX = 20

/** Without any key nothing but refusals could be looked at. A target with a control plane makes its own keys. */
function noKey({ file, allowMissing }: CredentialSources, into: Collected): void {
  if (into.found.has('full') || file.control !== undefined) return
  const lost = `there is no key of role "full" (${ROLES.full}), without which most checks are untested`
  if (into.found.size > 0 || allowMissing) into.hazards.push(`${lost}.`)
  else
    into.problems.push({
      code: 'E_TARGET_ENV_MISSING',
      place: KEY_VARIABLE,
      message: `${lost}.`,
      fix: `Set ${KEY_VARIABLE} to an API key of the target.`,
    })
}

/** `complete` is false when parts of the file could not be used: a missing key is then no problem of its own. */
export function findCredentials(sources: CredentialSources, complete: boolean): FoundCredentials {
  const into: Collected = {
    found: new Map(),
    more: [],
    problems: secretsAsNames(sources),
    hazards: [],
    unset: [],
  }
  if (into.problems.length > 0)
    return { credentials: {}, moreKeys: [], origins: {}, problems: into.problems, hazards: [] }
  const replaced = new Set<Role>()
  for (const described of describedIn(sources)) {
    const { role } = described
    // A key from the environment takes the place of the first of its role.
    if (sources.given.some((key) => key.role === role) && !replaced.has(role)) replaced.add(role)
    else fromFile(described, sources, into)
  }
  for (const key of sources.given) fromEnvironment(key, sources, into)
  if (complete && into.problems.length === 0) noKey(sources, into)
  const entries = [...into.found].toSorted(([a], [b]) => a.localeCompare(b))
  const found = [...into.found.values(), ...into.more]
  return {
    credentials: Object.fromEntries(entries.map(([role, { credential }]) => [role, credential])),
    moreKeys: into.more.map(({ credential }) => credential),
    origins: Object.fromEntries(
      entries.map(([role, { origin }]) => [`credentials.${role}`, origin]),
    ),
    problems: [
      ...into.problems,
      ...unsendableKeys(found),
      ...sharedKeys(found),
      ...wrongAccounts(found),
    ],
    hazards: [...unsetVariables(into), ...into.hazards],
  }
}
