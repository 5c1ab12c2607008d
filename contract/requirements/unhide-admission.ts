import { entries } from './entries.ts'

/** Admission of unhide reads, and how the budgets stand to each other. */
export const UNHIDE_ADMISSION = entries('Limits', 'unhide', {
  'UNHIDE-17': {
    source: ['rule 2 sentence 1', 'rule 2 sentence 2', 'row GET /orders (unhide admission)'],
    text: 'In one admission window an order takes as many unhide attempts as its pending and its completed budget together allow, and no more.',
  },
  'UNHIDE-18': {
    source: ['rule 2 sentence 1', 'rule 2 sentence 2'],
    text: 'The admission window is as long as the greatest common divisor of the pending and the completed window.',
  },
  'UNHIDE-19': {
    source: ['rule 7 sentence 1', 'row GET /orders (unhide admission)'],
    text: 'An unhide attempt that the pending or the completed budget refuses with 429 still counts for admission.',
  },
  'UNHIDE-20': {
    source: ['rule 7 sentence 2'],
    text: 'A spent pending budget does not block the completed one. The attempt after the last pending reply returns the order if it has completed by then.',
  },
  'UNHIDE-21': {
    source: ['rule 7 sentence 2'],
    text: 'Once admission is spent, unhide attempts get 429 until its window is over, even if the order completes meanwhile.',
  },
  'UNHIDE-22': {
    source: ['row GET /orders', 'row GET /orders (filtered)', 'row GET /orders (unhide completed)'],
    text: 'Masked reads of an order, and replays of its purchase, leave its unhide budgets whole.',
  },
  'UNHIDE-23': {
    source: ['row GET /orders (filtered)', 'row GET /orders (unhide pending)'],
    text: 'Unhide reads of an order leave the budget of masked, filtered reads whole.',
  },
  'UNHIDE-24': {
    source: ['rule 8'],
    level: 'typical',
    text: 'A client that reads one pending order with unhide every six seconds is never refused under the default budgets.',
  },
  'UNHIDE-25': {
    source: ['rule 8'],
    text: 'All who read one order with unhide share its budget, whichever connection they use.',
  },
})
