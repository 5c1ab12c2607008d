/** The options of the commands that only read: records, and the catalogue of the interface. */
import { flag, text, type Page } from '../harness/help-page.ts'

export const COMPARE_PAGE = {
  command: 'compare',
  words: 'BEFORE NOW',
  what: 'Compares two runs: what is newly broken, still broken, mended and no longer decided, observations, and figures of load beyond noise.',
  about: 'BEFORE and NOW are run.json of a run, or its directory.',
  groups: [{ title: 'Options', options: { json: flag('the same as JSON on standard output') } }],
  exits: `
0 nothing is newly broken
1 a requirement is newly broken
2 a file is no run record`,
  examples: `
npm run compare -- reports/RUN-OF-MAIN reports/RUN-OF-BRANCH
npm run compare -- main/run.json branch/run.json --json`,
} as const satisfies Page

export const INSPECT_PAGE = {
  command: 'inspect',
  words: 'RUN',
  what: 'Recomputes counts and verdict of a run from its findings, and says what contradicts them.',
  about: 'RUN is run.json of a run, or its directory.',
  groups: [
    {
      title: 'Options',
      options: {
        har: text('FILE', 'write the evidence as HTTP Archive 1.2'),
        json: flag('the result as JSON on standard output'),
      },
    },
  ],
  exits: `
0 the record is as it was written, and its verdict follows from its findings
1 the record contradicts itself: it was edited, or a partial one claims to be whole
2 the file is no run record`,
  examples: `
npm run inspect -- reports/latest
npm run inspect -- run.json --har evidence.har`,
} as const satisfies Page

export const REQUIREMENTS_PAGE = {
  command: 'requirements',
  what: 'Prints the catalogue of the interface, by area, and which requirements have a check.',
  groups: [
    {
      title: 'Options',
      options: {
        area: text('AREA', 'one area in full: every requirement with its level, source and checks'),
        uncovered: flag('only the requirements that a client can see and nothing decides'),
        json: flag('the same as JSON'),
      },
    },
  ],
  exits: `
0 printed
2 the command line could not be understood
4 a check cites a requirement that the catalogue does not have or excludes`,
  examples: `
npm run requirements
npm run requirements -- --area UNHIDE
npm run requirements -- --uncovered --area CAP
npm run requirements -- --json > requirements.json`,
} as const satisfies Page
