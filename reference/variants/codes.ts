import { CODES } from '../http/status-codes.ts'

/** Numbers that a variant uses where the interface gives none. */
export const OTHER_CODES: ReadonlyMap<number, number> = new Map([
  [CODES.success, 7],
  [CODES.idempotencyReplay, 0],
  [CODES.validationFailed, 1],
  [CODES.unauthenticated, 12],
  [CODES.forbidden, 2],
  [CODES.notFound, 9],
  [CODES.conflict, 11],
  [CODES.unsupportedMediaType, 10],
  [CODES.methodNotAllowed, 3],
  [CODES.tooLarge, 4],
  [CODES.internalError, 5],
  [CODES.upstreamError, 6],
])
