/** What the keys of load may do: read the catalog, buy, and read their orders. */
export { BUYER_SCOPES } from '../../../contract/capabilities.ts'
