import { OPERATIONS } from '../../contract/operations.ts'
import { flag, text, textOr, texts, type Page } from '../help-page.ts'
import { TARGET } from '../target-file/options.ts'

export const TRY_PAGE = {
  command: 'try',
  words: 'OPERATION --target FILE',
  what: 'Sends one request of a target file and shows request, answer, and what every selector of it finds.',
  about: `OPERATION is one of\n${Object.keys(OPERATIONS).join(', ')}.`,
  groups: [
    {
      title: 'Request',
      options: {
        product: text(
          'NAME',
          'which product of the file fills the templates',
          'voucher, or the first that does',
        ),
        kind: text(
          'NAME',
          'for createOrder: shop, dtu, dtu-check, esim, platform-gift',
          'that of the product',
        ),
        role: textOr('NAME', 'whose key is sent', 'full'),
        set: texts(
          'NAME=VALUE',
          'a variable of the templates, or a query parameter of getOrders and listServices. 5, true and null are sent as such; \'"5"\' in quotes is sent as text, as is what replaces a text of the product',
        ),
        'allow-purchases': flag('send createOrder or createCart without asking first'),
      },
    },
    TARGET,
  ],
  notes: 'Nothing is bought without a yes or --allow-purchases. Keys and codes are redacted.',
  exits: `
0 answered, and every selector finds what such an answer must have
2 usage or configuration, nothing sent    3 no answer    5 refused, or a selector finds nothing`,
  examples: `
npm run try -- whoami --base-url https://sandbox.example
npm run try -- rateLimits --target staging.target.json
npm run try -- getOrders --target staging.target.json --set referenceId=order-1
npm run try -- createOrder --target staging.target.json --product voucher`,
} as const satisfies Page
