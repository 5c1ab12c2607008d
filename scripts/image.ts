/** `npm run image`: builds the container image of the reference service, or of the harness, with or without an image registry. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { docker, DockerError, requireEngine } from './image/docker.ts'
import { fillHarnessContext } from './image/harness-context.ts'
import { makeLocalBase } from './image/local-base.ts'
import { guarded } from './start.ts'

const ROOT = path.dirname(import.meta.dirname)
const TAGS = { reference: 'ordering-reference', harness: 'ordering-harness' } as const
type Content = keyof typeof TAGS
const BASE = 'node:24-slim'
const LOCAL = 'local'

const HELP = `Usage: npm run image -- [options]

Builds a container image of the reference service, which npm run gate -- --image ${TAGS.reference} judges, or of the harness.

  --of WHAT     reference (default), or harness: the harness with k6, to judge from inside a container network
  --tag NAME    name of the image (default ${TAGS.reference} or ${TAGS.harness})
  --base IMAGE  what it is built upon (default ${BASE}; where that cannot be
                pulled, a base made of this machine's Node and its libraries)
                "${LOCAL}" makes that base without asking a registry
  --help        print this and end

Examples
  npm run image && npm run gate -- --image ${TAGS.reference}
  npm run image -- --of harness
  docker run --rm --read-only --tmpfs /tmp --user "$(id -u)" --volume "$PWD:/work" \\
    --network my-network --env ORDERING_KEY ${TAGS.harness} gate --base-url http://my-service:8080
`

const OPTIONS = {
  of: { type: 'string', default: 'reference' },
  tag: { type: 'string' },
  base: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

const EXIT_USAGE = 2
const EXIT_ENVIRONMENT = 3

class UsageError extends Error {}

function say(text: string): void {
  console.log(text)
}

/** The image to build upon. A base that was asked for is taken as it is: docker build says what is wrong with it. */
async function chooseBase(asked: string | undefined): Promise<string> {
  if (asked === LOCAL) return makeLocalBase(say)
  if (asked !== undefined) return asked
  if (await isHere(BASE)) return BASE
  say(`Pulls ${BASE}.`)
  try {
    await docker(['pull', '--quiet', BASE])
    return BASE
  } catch (error) {
    if (!(error instanceof DockerError)) throw error
    say(`It cannot be pulled (${error.message}).`)
    return makeLocalBase(say)
  }
}

async function isHere(image: string): Promise<boolean> {
  const ids = await docker(['images', '--quiet', image])
  return ids !== ''
}

async function build(of: Content, tag: string, askedBase: string | undefined): Promise<void> {
  await requireEngine()
  const base = await chooseBase(askedBase)
  say(`Builds ${tag} upon ${base}.`)
  if (of === 'reference') {
    await buildFolder(ROOT, tag, base)
    say(`Judge it with: npm run gate -- --image ${tag}`)
    return
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ordering-harness-image-'))
  try {
    await fillHarnessContext(folder, say)
    await copyFile(
      path.join(import.meta.dirname, 'image', 'Dockerfile.harness'),
      path.join(folder, 'Dockerfile'),
    )
    await buildFolder(folder, tag, base)
  } finally {
    await rm(folder, { recursive: true })
  }
  say(`See what it can do: docker run --rm ${tag} --help`)
}

async function buildFolder(folder: string, tag: string, base: string): Promise<void> {
  const options = ['--quiet', '--force-rm', '--build-arg', `BASE=${base}`, '--tag', tag]
  const id = await docker(['build', ...options, folder])
  say(`Built ${tag}: ${id}`)
}

function contentOf(text: string): Content {
  if (text === 'reference' || text === 'harness') return text
  throw new UsageError(`--of was "${text}"; expected ${Object.keys(TAGS).join(' or ')}.`)
}

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

async function run({ help, of, tag, base }: Options): Promise<void> {
  if (help) {
    say(HELP)
    return
  }
  const content = contentOf(of)
  await build(content, tag ?? TAGS[content], base)
}

function explain(error: unknown): number {
  if (error instanceof DockerError) {
    console.error(`${error.message}\n${error.nextStep}`)
    return EXIT_ENVIRONMENT
  }
  const { code, message } = error as NodeJS.ErrnoException
  if (!(error instanceof UsageError) && code?.startsWith('ERR_PARSE_ARGS') !== true) throw error
  console.error(`${message}\nTry npm run image -- --help.`)
  return EXIT_USAGE
}

await guarded(async () => {
  try {
    await run(parseArgs({ options: OPTIONS }).values)
    return 0
  } catch (error) {
    return explain(error)
  }
})
