/** A strict little checker of XML: enough to refuse what a CI system's parser would refuse. Throws at the first thing wrong. */

/** What XML 1.0 forbids even when escaped. */
// oxlint-disable-next-line no-control-regex -- these are the very characters that must not occur
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const TOKEN =
  /<\?xml [^?]*\?>|<\/(?<end>[\w-]+)>|<(?<start>[\w-]+)(?<attributes>[^<>]*?)(?<empty>\/?)>|(?<text>[^<]+)/y
const ATTRIBUTES = /^(?:\s+[\w-]+="[^"<>]*")*\s*$/
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|#39);)/

export type XmlElement = { readonly name: string; readonly attributes: string }

function refuse(what: string, xml: string, at: number): never {
  throw new Error(`${what} at ${at}: ${JSON.stringify(xml.slice(at, at + 80))}`)
}

/** Checks well-formedness and returns the elements in document order. */
export function parseXml(xml: string): XmlElement[] {
  if (!xml.isWellFormed()) refuse('Lone surrogate', xml, 0)
  if (FORBIDDEN.test(xml)) refuse('Forbidden character', xml, xml.search(FORBIDDEN))
  if (BARE_AMPERSAND.test(xml)) refuse('Bare ampersand', xml, xml.search(BARE_AMPERSAND))
  const elements: XmlElement[] = []
  const open: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex
    const groups = TOKEN.exec(xml)?.groups ?? refuse('Not XML', xml, at)
    if (groups['end'] !== undefined && open.pop() !== groups['end']) refuse('End tag', xml, at)
    if (groups['start'] === undefined) continue
    const attributes = groups['attributes'] ?? ''
    if (!ATTRIBUTES.test(attributes)) refuse('Attributes', xml, at)
    elements.push({ name: groups['start'], attributes })
    if (groups['empty'] === '') open.push(groups['start'])
  }
  if (open.length > 0) refuse(`Unclosed ${open.join(', ')}`, xml, xml.length)
  return elements
}
