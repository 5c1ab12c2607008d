import { flag, text, type Page } from '../help-page.ts'

export const REPLAY_PAGE = {
  command: 'replay',
  words: 'RUN CHECK',
  what: 'Sends the exchanges of one finding again, and shows what was recorded beside what is answered now.',
  about: `
RUN is run.json of a run, or its directory; CHECK is a check or a requirement that failed in it.`,
  groups: [
    {
      title: 'Options',
      options: {
        'base-url': text('URL', 'send to another address than the recorded one'),
        'allow-purchases': flag('send requests that may create orders, too'),
        json: flag('the answers as JSON on standard output'),
      },
    },
  ],
  notes: `
Keys come from the environment variables that the recorded curl lines name. A purchase is sent with its old referenceId: a service that keeps the interface answers with the old order.`,
  exits: `
0 the offending exchange is answered otherwise now
1 it is answered as recorded
2 usage, or a key is missing; nothing was sent
3 the target does not answer`,
  examples: `
npm run replay -- reports/latest AUTH-03
npm run replay -- run.json auth.revoked-key --base-url https://staging.example`,
} as const satisfies Page
