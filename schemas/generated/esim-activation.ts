/** Generated from schemas/esim-activation.schema.json by `npm run generate`. Do not edit. */

/** Activation data of an eSIM. Suppliers may add fields; absent declared fields are omitted. */
export interface EsimActivation {
  qrCodeText: string
  iccid?: string
  smdpAddress?: string
  activationCode?: string
  iosInstallUrl?: string
  androidInstallUrl?: string
}
