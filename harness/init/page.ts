import { flag, text, texts, type Page } from '../help-page.ts'
import { TARGET, TARGET_OPTIONS } from '../target-file/options.ts'

const { target: _file, 'allow-missing-credentials': _keys, ...LOOKED_AT } = TARGET_OPTIONS

export const INIT_PAGE = {
  command: 'init',
  words: '--base-url URL',
  what: 'Writes a target file by looking at a target: safe GETs alone, fewer than 40; buys nothing.',
  groups: [
    {
      title: 'File',
      options: {
        out: text(
          'FILE',
          'where to write; a file that is there is not touched',
          'HOST.target.json',
        ),
        yes: flag('take every proposal without asking; so it is where there is no terminal'),
        key: texts(
          'ROLE=VARIABLE[@ACCOUNT]',
          'a key by the name of its variable, for several of a role or several accounts',
        ),
        path: texts(
          'OPERATION=PATH',
          'a path that the interface does not show: getItem, lookupItems, getBalance, getLedger; {serviceId} and {itemId} are its variables. Balances are read with the key of role funds',
        ),
        product: texts(
          'ABILITY=ITEM',
          'an item of the catalog for voucher, voucher-long, dtu, quantity or esim; ABILITY= for none',
        ),
      },
    },
    { ...TARGET, options: LOOKED_AT },
  ],
  notes: `
The file names the variables of keys, never the keys. Several keys of a role become a list. init asks whether the environment is a sandbox; without an answer it writes production.
Each proposal is shown with what was found. What could not be seen is listed with what it would add. It reveals no code: unhide=true spends the budget of an order, and shows its codes. To try it on an order of yours: npm run try -- getOrders --target FILE --set orderId=ID --set unhide=true`,
  exits:
    '0 written    2 usage or configuration    3 the target does not answer, or not as this interface',
  examples: `
ORDERING_KEY=… npm run init -- --base-url https://sandbox.example      proposes, and asks
npm run init -- --base-url https://sandbox.example --yes --out staging.target.json --product voucher=gift-card-10
npm run init -- --base-url https://sandbox.example --key full=KEY_MAIN --key full=KEY_OTHER@other --key blocked=KEY_AWAY`,
} as const satisfies Page
