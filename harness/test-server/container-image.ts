/** What an image says of itself: a label names the target file that lies in it. */
import { buffer } from 'node:stream/consumers'
import { type ContainerRuntimeClient, ImageName } from 'testcontainers'
import { HarnessError } from '../errors.ts'

/** Path of the target file in the image. Its addresses are those inside of the container. */
export const TARGET_FILE_LABEL = 'org.ordering-harness.target-file'

/** The members that are needed to reach it; the rest is judged where target files are. */
export type ImageFile = {
  readonly baseUrl: string
  readonly control?: { readonly baseUrl: string }
  readonly credentials?: unknown
}

export type ImageTarget = {
  /** Of the image itself, whatever name it goes by. */
  readonly digest: string
  readonly file: ImageFile
  /** Ports inside of the container. */
  readonly port: number
  readonly controlPort?: number
}

/** Pulls the image where it is not here, and reads its target file without starting it. Throws E_ENVIRONMENT_IMAGE. */
export async function readImage(
  client: ContainerRuntimeClient,
  image: string,
): Promise<ImageTarget> {
  const { place, digest } = await describedBy(client, image)
  const text = await readFileOf(client, image, place)
  const file = parseFile(text, `${image}:${place}`)
  const controlPort = file.control && portOf(file.control.baseUrl, image)
  return {
    digest,
    file,
    port: portOf(file.baseUrl, image),
    ...(controlPort === undefined ? {} : { controlPort }),
  }
}

async function describedBy(
  { image: images }: ContainerRuntimeClient,
  image: string,
): Promise<{ readonly place: string; readonly digest: string }> {
  const name = ImageName.fromString(image)
  try {
    await images.pull(name)
    const { Config, Id } = await images.inspect(name)
    const place = (Config.Labels as Record<string, string> | null)?.[TARGET_FILE_LABEL]
    if (place !== undefined) return { place, digest: Id }
  } catch (cause) {
    throw new HarnessError(
      'E_ENVIRONMENT_IMAGE',
      `the image ${image} is not on this machine and cannot be pulled (${reasonOf(cause)})`,
      'Check the name with: docker images. The reference service is built by: npm run image',
      { cause },
    )
  }
  throw new HarnessError(
    'E_ENVIRONMENT_IMAGE',
    `the image ${image} has no label ${TARGET_FILE_LABEL}, so the harness does not know how to call it`,
    `Put a target file into the image and name its path: LABEL ${TARGET_FILE_LABEL}=/target.json. Or start it yourself and pass --target FILE.`,
  )
}

/** A container that is never started lends us its file system. */
async function readFileOf(
  { container: containers }: ContainerRuntimeClient,
  image: string,
  place: string,
): Promise<string> {
  const container = await containers.create({ Image: image })
  try {
    const archive = await containers.fetchArchive(container, place)
    return firstFileOf(await buffer(archive)).toString('utf8')
  } catch (cause) {
    throw unusable(`${image}:${place}`, reasonOf(cause), cause)
  } finally {
    await containers.remove(container)
  }
}

const BLOCK_BYTES = 512
const SIZE_FIELD = { start: 124, end: 136 } as const
const TYPE_OFFSET = 156
const REGULAR_FILE = new Set(['0', '\0'])

/** The first regular file of a tar archive (POSIX ustar: blocks of 512 bytes, sizes in octal). */
export function firstFileOf(archive: Buffer): Buffer {
  for (let offset = 0; offset + BLOCK_BYTES <= archive.length;) {
    const header = archive.subarray(offset, offset + BLOCK_BYTES)
    const bytes = parseInt(header.toString('latin1', SIZE_FIELD.start, SIZE_FIELD.end), 8)
    if (Number.isNaN(bytes)) break
    const content = offset + BLOCK_BYTES
    if (REGULAR_FILE.has(header.toString('latin1', TYPE_OFFSET, TYPE_OFFSET + 1)))
      return archive.subarray(content, content + bytes)
    offset = content + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
  }
  throw new Error('it is no file')
}

function parseFile(text: string, place: string): ImageFile {
  let file: Partial<ImageFile> | null
  try {
    file = JSON.parse(text) as Partial<ImageFile> | null
  } catch (cause) {
    throw unusable(place, reasonOf(cause), cause)
  }
  if (!isAddress(file?.baseUrl)) throw unusable(place, 'it has no baseUrl that is a URL')
  if (file?.control !== undefined && !isAddress((file.control as ImageFile | null)?.baseUrl))
    throw unusable(place, 'its control has no baseUrl that is a URL')
  return file as ImageFile
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value)
}

function portOf(address: string, image: string): number {
  const { protocol, port } = new URL(address)
  if (protocol === 'http:') return Number(port || 80)
  throw unusable(
    image,
    `got an address with the scheme ${protocol}; inside of a container http: is expected`,
  )
}

function unusable(place: string, reason: string, cause?: unknown): HarnessError {
  return new HarnessError(
    'E_ENVIRONMENT_IMAGE',
    `the target file ${place} cannot be used: ${reason}`,
    `Write it as targets/README.md says, with the addresses inside of the container, and name its path by the label ${TARGET_FILE_LABEL}.`,
    { cause },
  )
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
