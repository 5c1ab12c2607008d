/** `npm run image`: builds the container image of the reference service, or of the harness, with or without an image registry. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readPage } from '../harness/command-line.ts'
import { usageError } from '../harness/errors.ts'
import { command } from './command.ts'
import { BASE, IMAGE_PAGE, LOCAL_BASE, TAGS } from './developer-pages.ts'
import { docker, DockerError, requireEngine } from './image/docker.ts'
import { fillHarnessContext } from './image/harness-context.ts'
import { makeLocalBase } from './image/local-base.ts'

const ROOT = path.dirname(import.meta.dirname)
type Content = keyof typeof TAGS

const EXIT_ENVIRONMENT = 3

function say(text: string): void {
  console.log(text)
}

/** The image to build upon. A base that was asked for is taken as it is: docker build says what is wrong with it. */
async function chooseBase(asked: string | undefined): Promise<string> {
  if (asked === LOCAL_BASE) return makeLocalBase(say)
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
  throw usageError(`--of was "${text}"; expected ${Object.keys(TAGS).join(' or ')}.`)
}

await command(IMAGE_PAGE, async ({ argv }) => {
  const { of, tag, base } = readPage(IMAGE_PAGE, argv).values
  const content = contentOf(of)
  try {
    await build(content, tag ?? TAGS[content], base)
    return 0
  } catch (error) {
    if (!(error instanceof DockerError)) throw error
    console.error(`${error.message}\n${error.nextStep}`)
    return EXIT_ENVIRONMENT
  }
})
