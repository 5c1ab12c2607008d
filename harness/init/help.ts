/** Imports nothing, so that help appears at once. */
export const INIT_HELP = `Writes a target file by looking at a target: safe GETs alone, fewer than 40; buys nothing.

Usage: npm run init -- --base-url URL [options]

  --base-url URL      where the interface is served, without /api/v1
  --out FILE          where to write (HOST.target.json); a file that is there is not touched
  --yes               take every proposal without asking; so it is where there is no terminal
  --environment NAME  sandbox or production (asked, else production)
  --key ROLE=VARIABLE[@ACCOUNT]   a key by the name of its variable, for several of a role or several accounts
  --path OPERATION=PATH    a path that the interface does not show: getItem, lookupItems, getBalance, getLedger;
                      {serviceId} and {itemId} are its variables. Balances are read with the key of role funds
  --product ABILITY=ITEM   an item of the catalog for voucher, voucher-long, dtu, quantity or esim; ABILITY= for none
  --name TEXT, --timing, --capability, --client-cert FILE --client-key FILE, --ipv4, --ipv6: as for every command
  -h, --help

Keys come from the environment: ORDERING_KEY (role full), ORDERING_KEY_<ROLE>, and the variables that --key names. The file names
the variables, never the keys. Several of a role are written as a list.
Each proposal is shown with what was found. What could not be seen is listed with what it would add.
It reveals no code: unhide=true spends the budget of an order, and shows its codes. To try it on an order of yours:
npm run try -- getOrders --target FILE --set orderId=ID --set unhide=true

Exit codes
  0 written    2 usage or configuration    3 the target does not answer, or not as this interface

Examples
  ORDERING_KEY=… npm run init -- --base-url https://sandbox.example
  npm run init -- --base-url https://sandbox.example --yes --out staging.target.json --product voucher=gift-card-10
  npm run init -- --base-url https://sandbox.example --key full=KEY_MAIN --key full=KEY_OTHER@other --key blocked=KEY_AWAY
`
