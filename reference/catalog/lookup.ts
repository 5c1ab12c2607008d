/** Items looked up by service id and item id: many at once, or one. */
import { Fields, isJsonObject, requireJson } from '../http/body.ts'
import type { Call } from '../model/call.ts'
import { type Answer, invalid, notFound, success } from '../http/answer.ts'
import type { FaultSet } from '../faults/faults.ts'
import { type CatalogService, type Item, itemOf, serviceById } from '../model/catalog.ts'
import { presentItem } from './present.ts'

const ITEMS_MAX = 100
const ID_RULE = { max: 64 }

type Wanted = { readonly serviceId: string; readonly itemId: string }

export function lookupItems(call: Call): Answer {
  const fields = new Fields(requireJson(call.body))
  const wanted = readWanted(fields)
  if (fields.errors.length > 0) throw invalid(fields.errors)
  const isFirstOnly = call.context.faults.has('lookup-answers-first-pair')
  const asked = isFirstOnly ? wanted.slice(0, 1) : wanted
  return success({ items: upToMissing(asked, call).flatMap((one) => lookUp(one, call)) })
}

/** Only a fault goes no further than to the first pair that is not there. */
function upToMissing(asked: readonly Wanted[], { context: { faults } }: Call): readonly Wanted[] {
  if (!faults.has('lookup-stops-at-missing')) return asked
  const missing = asked.findIndex(({ serviceId, itemId }) => {
    const service = serviceById(serviceId)
    return service === undefined || itemOf(service, itemId) === undefined
  })
  return missing < 0 ? asked : asked.slice(0, missing + 1)
}

function readWanted(fields: Fields): Wanted[] {
  const items = fields.value('items')
  if (items === undefined) fields.missing('items')
  else if (!Array.isArray(items)) fields.fail('INVALID_FORMAT', 'items', 'Expected an array.')
  else if (items.length < 1 || items.length > ITEMS_MAX)
    fields.fail('OUT_OF_RANGE', 'items', `Expected 1 to ${ITEMS_MAX} items.`)
  else return items.flatMap((item: unknown, index) => readOne(fields, item, `items[${index}].`))
  return []
}

function readOne(fields: Fields, item: unknown, prefix: string): Wanted[] {
  const inner = new Fields(isJsonObject(item) ? item : {}, prefix, fields.errors)
  const serviceId = inner.requiredText('serviceId', ID_RULE)
  const itemId = inner.requiredText('itemId', ID_RULE)
  return serviceId === undefined || itemId === undefined ? [] : [{ serviceId, itemId }]
}

function lookUp({ serviceId, itemId }: Wanted, { context: { faults } }: Call): object[] {
  const service = serviceById(serviceId)
  const item = service && itemOf(service, itemId)
  if (item !== undefined)
    return [{ serviceId, itemId, found: true, item: presented(service, item, faults), error: null }]
  if (faults.has('lookup-omits-missing')) return []
  const missing = service === undefined ? 'service_not_found' : 'item_not_found'
  const error = faults.has('lookup-error-unknown') ? 'not_found' : missing
  return [{ serviceId, itemId, found: false, item: null, error }]
}

function presented(service: CatalogService | undefined, item: Item, faults: FaultSet): object {
  const isOther = faults.has('lookup-item-other')
  const isInEur = service?.type === 'esim' && faults.has('looked-up-esims-in-eur')
  const currency = isInEur ? 'EUR' : undefined
  const shown = presentItem(isOther ? beside(service, item) : item, faults, currency)
  if (faults.has('lookup-forgets-units')) forgetUnits(shown)
  return faults.has('lookup-quantities-as-text') ? withQuantitiesAsText(shown) : shown
}

/** Only faults leave out of an item all that it is sold by units for. */
function forgetUnits(shown: object): void {
  for (const name of [
    'amountIsQuantity',
    'minQuantity',
    'maxQuantity',
    'stepQuantity',
    'unitPrice',
  ])
    Reflect.deleteProperty(shown, name)
}

function withQuantitiesAsText(shown: object): object {
  const texts = Object.entries(shown).map(([name, value]) => [
    name,
    name.endsWith('Quantity') && typeof value === 'number' ? String(value) : value,
  ])
  return Object.fromEntries(texts) as object
}

/** Another item of the service, where it has one: what faults confuse an item with. */
function beside(service: CatalogService | undefined, item: Item): Item {
  return service?.items.find((other) => other.id !== item.id) ?? item
}

export function getItem({ parameters, context: { faults } }: Call): Answer {
  const service = serviceById(parameters['serviceId'] ?? '')
  if (service === undefined) throw notFound('No service has this id.', 'service_not_found')
  const item = itemOf(service, parameters['itemId'] ?? '')
  if (item === undefined) throw notFound('The service has no such item.', 'item_not_found')
  const isOther = faults.has('single-item-other')
  const shown = presentItem(isOther ? beside(service, item) : item, faults)
  if (faults.has('single-item-forgets-units')) forgetUnits(shown)
  if (faults.has('single-item-quantity-unflagged'))
    Reflect.deleteProperty(shown, 'amountIsQuantity')
  return success(faults.has('single-item-wrapped') ? { item: shown } : shown)
}
