/** Generated from schemas/esim-payload.schema.json by `npm run generate`. Do not edit. */

/** Activation data, or the supplier's raw object where it has no usable qrCodeText. */
export interface EsimPayload {
  [k: string]: unknown
}
