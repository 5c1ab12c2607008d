import { entries } from './entries.ts'

const FIELD_ERROR = 'Resources and their fields > FieldError'

/** What every response has in common, and the entries of its `errors`. */
export const ENVELOPE = entries('Resources and their fields > Envelope', 'base', {
  'ENV-01': {
    source: ['Endpoints: bullet 3', 'Endpoints: paragraph 1'],
    text: 'Every response is one JSON object in the envelope form, whatever the operation and the outcome.',
  },
  'ENV-02': {
    source: ['Introduction: paragraph 1 sentence 4'],
    text: 'A response body parses as JSON.',
  },
  'ENV-03': {
    source: ['row data'],
    text: 'The envelope field data is an object, null, or left out.',
  },
  'ENV-04': {
    source: ['row errorCode'],
    text: 'The envelope field errorCode is a string, null, or left out.',
  },
  'ENV-05': {
    source: ['row errors'],
    text: 'The envelope field errors is an array of field errors, null, or left out.',
  },
  'ENV-06': {
    source: ['row status'],
    text: 'The envelope always has status, with one of SUCCESS, IN_PROGRESS, PARTIALLY_COMPLETED, CANCELLED.',
  },
  'ENV-07': {
    source: ['row statusCode', 'Errors: bullet 1 sentence 1'],
    text: 'The envelope always has statusCode, a whole number from 0 to 14.',
  },
  'ENV-08': {
    source: ['row statusMessage'],
    text: 'The envelope always has statusMessage, a string.',
  },
  'ENV-09': {
    source: ['row traceId'],
    text: 'The envelope always has traceId, a string.',
  },
  'ENV-10': {
    source: ['paragraph 1'],
    text: 'An order in a list has its state in its own item. A pending order reads IN_PROGRESS there even if the envelope says SUCCESS.',
    capability: 'async',
  },
  'ENV-11': {
    source: ['paragraph 1'],
    text: 'The envelope status of a list that was answered is SUCCESS, or a status that one of its orders has.',
  },
  'FIELD-01': {
    section: FIELD_ERROR,
    source: ['row code'],
    text: 'Each entry of errors has a code, one of MISSING, OUT_OF_RANGE, INVALID_FORMAT, INVALID_VALUE, NOT_ALLOWED, TOO_LONG, TOO_SHORT.',
  },
  'FIELD-02': {
    section: FIELD_ERROR,
    source: ['row field'],
    text: 'Each entry of errors has a string field.',
  },
  'FIELD-03': {
    section: FIELD_ERROR,
    source: ['row message'],
    text: 'Each entry of errors has a string message.',
  },
  'FIELD-04': {
    section: FIELD_ERROR,
    source: ['row field'],
    text: 'The field of an entry of errors names what was wrong: a request that lacks only referenceId is answered by an entry that names referenceId.',
  },
})
