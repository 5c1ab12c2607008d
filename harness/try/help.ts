/** Imports nothing, so that help appears at once. */
export const TRY_HELP = `Sends one request of a target file and shows request, answer, and what every selector of it finds.

Usage: npm run try -- OPERATION --target FILE [options]

  OPERATION       whoami, listServices, lookupItems, getItem, createGiftQuote, createOrder, getOrders, createCart, validateDtu,
                  rateLimits, getBalance, getLedger
  --product NAME  which product of the file fills the templates (voucher, or the first that does)
  --kind NAME     for createOrder: shop, dtu, dtu-check, esim, platform-gift (that of the product)
  --role NAME     whose key is sent (full)
  --set NAME=VALUE  a variable of the templates, or a query parameter of getOrders and listServices; repeated for several.
                  5, true and null are sent as such; '"5"' in quotes is sent as text, as is what replaces a text of the product
  --allow-purchases  send createOrder or createCart without asking first
  --target FILE, --base-url URL, --client-cert FILE --client-key FILE, --ipv4, --ipv6: as for every command
  -h, --help

Nothing is bought without a yes or --allow-purchases. Keys and codes are redacted.

Exit codes
  0 answered, and every selector finds what such an answer must have
  2 usage or configuration, nothing sent    3 no answer    5 refused, or a selector finds nothing

Examples
  npm run try -- whoami --base-url https://sandbox.example
  npm run try -- rateLimits --target staging.target.json
  npm run try -- getOrders --target staging.target.json --set referenceId=order-1
  npm run try -- createOrder --target staging.target.json --product voucher
`
