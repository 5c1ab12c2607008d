/** Requests whose body is gathered as it comes off the wire. */
import { IncomingMessage } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { indexOfHeader } from './headers.ts'

export const BODY_BYTES_MAX = 256 * 1024

export type Body = Uint8Array | 'too-large'

const NO_BODY = new Uint8Array()

/**
 * A request that is no stream any more: what Node's parser pushes is kept as it is, and told once when it is whole or too much.
 * The states and turns of a stream cost more than the work of most requests; what they are for, holding back a sender, is not
 * needed for so few bytes. A request that ends too early is never told.
 */
export class GatheredRequest extends IncomingMessage {
  /** Nearly always the only one. */
  #first: Buffer | undefined
  #more: Buffer[] | undefined
  #bytes = 0
  #onBody: ((body: Body) => void) | undefined
  /** Nothing is ever left to be read: the server need not listen for the end. */
  override readonly readableEnded = true

  /** Must be called at once: the rest of the request may be there already. */
  whenGathered(onBody: (body: Body) => void): void {
    this.#onBody = onBody
  }

  /** Called by the parser: a part of the body, or null at its end. True: send more. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null) this.#tell(this.#whole())
    else {
      this.#bytes += chunk.length
      if (this.#bytes > BODY_BYTES_MAX) this.#tell('too-large')
      else this.#keep(chunk)
    }
    return true
  }

  /** Called by the server when the answer is out, so that an unread body flows off: nothing is unread here. */
  override resume(): this {
    return this
  }

  #keep(chunk: Buffer): void {
    if (this.#first === undefined) this.#first = chunk
    else (this.#more ??= []).push(chunk)
  }

  #whole(): Uint8Array {
    if (this.#first === undefined) return NO_BODY
    return this.#more === undefined ? this.#first : Buffer.concat([this.#first, ...this.#more])
  }

  #tell(body: Body): void {
    const onBody = this.#onBody
    this.#onBody = undefined
    this.#first = undefined
    this.#more = undefined
    onBody?.(body)
  }
}

const NO_HEADERS: IncomingHttpHeaders = Object.freeze({})
const inherited = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers')

/**
 * Node's server asks each request for its header Expect, and one of HTTP/1.0 for TE: all headers would be gathered in an object for that
 * alone. This service reads them as they came.
 */
if (inherited?.get !== undefined)
  Object.defineProperty(GatheredRequest.prototype, 'headers', {
    ...inherited,
    get(this: GatheredRequest): unknown {
      const isUsual = this.httpVersion === '1.1' && indexOfHeader(this.rawHeaders, 'Expect') < 0
      return isUsual ? NO_HEADERS : inherited.get?.call(this)
    },
  })
