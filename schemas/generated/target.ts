/** Generated from schemas/target.schema.json by `npm run generate`. Do not edit. */

/** A decimal amount, as text. */
export type Money = string
export type Scalar = string | number | boolean | null
/** A JSON Pointer (RFC 6901), or a JSONPath query (RFC 9535) where an array must be searched. */
export type Selector = string
/** A JSON Pointer from an element of a list on. */
export type Member = string

/**
 * Describes one target: where it is, who may act, what may be bought, and what the interface does not show. Secrets never stand here: credentials name environment variables.
 */
export interface TargetFile {
  $schema?: string
  /**
   * Another target file, taken from the folder of this one, over which this one is laid: objects are joined, templates, arrays and values replaced, and null takes away.
   */
  extends?: string
  /** How reports name the target. */
  name?: string
  /** Where the interface is served, without the version prefix. */
  baseUrl: string
  /** Whether the target is there for tests. */
  environment?: 'sandbox' | 'production'
  /** How exactly times are judged. */
  timing?: 'strict' | 'partner'
  /** How the references look that the harness gives its purchases. */
  referenceForm?: 'uuid' | 'alphanumeric' | 'digits'
  /**
   * How long checks of late replays wait before they send a purchase again, if that is longer than a window. A service that forgets references after five minutes is found with 301.
   */
  replayAfterSeconds?: number
  /** The optional parts that this target has. Default: base, catalog, shop, rate-limits. */
  capabilities?: (
    | 'base'
    | 'catalog'
    | 'item-lookup'
    | 'shop'
    | 'async'
    | 'long-orders'
    | 'quantity-items'
    | 'dtu'
    | 'dtu-check'
    | 'dtu-validation'
    | 'esim'
    | 'platform-gift'
    | 'cart'
    | 'funds'
    | 'transaction-limit'
    | 'allowlist'
    | 'unhide'
    | 'rate-limits'
  )[]
  /**
   * By role, a reference to the environment variable that holds the key; a list where a role has several keys: of several accounts, with other allowlists, or with other caps.
   */
  credentials?: {
    full?: Credential | [Credential, ...Credential[]]
    sibling?: Credential | [Credential, ...Credential[]]
    stranger?: Credential | [Credential, ...Credential[]]
    browser?: Credential | [Credential, ...Credential[]]
    writer?: Credential | [Credential, ...Credential[]]
    poller?: Credential | [Credential, ...Credential[]]
    unscoped?: Credential | [Credential, ...Credential[]]
    capped?: Credential | [Credential, ...Credential[]]
    blocked?: Credential | [Credential, ...Credential[]]
    'blocked-unscoped'?: Credential | [Credential, ...Credential[]]
    'revoked-unscoped'?: Credential | [Credential, ...Credential[]]
    'expired-unscoped'?: Credential | [Credential, ...Credential[]]
    allowed?: Credential | [Credential, ...Credential[]]
    revoked?: Credential | [Credential, ...Credential[]]
    expired?: Credential | [Credential, ...Credential[]]
    funds?: Credential | [Credential, ...Credential[]]
    background?: Credential | [Credential, ...Credential[]]
  }
  /** By ability, a product that can be bought. */
  products?: {
    voucher?: Product
    'voucher-async'?: Product
    'voucher-partial'?: Product
    'voucher-cancelled'?: Product
    'voucher-long'?: Product
    'voucher-upstream-limited'?: Product
    dtu?: Product
    'dtu-timeout'?: Product
    'dtu-slow'?: Product
    quantity?: Product
    esim?: Product
    'esim-raw'?: Product
    'platform-gift'?: Product
  }
  /**
   * Effective windows, where GET /rate-limits cannot be read: by bucket, and by operation where the window of an endpoint is its own. What neither gives is assumed to be the interface's default, and never asserted.
   */
  limits?: {
    default?: WindowLimit
    'orders.check'?: WindowLimit
    'orders.list'?: WindowLimit
    'orders.filtered'?: WindowLimit
    'orders.unhide.pending'?: WindowLimit
    'orders.unhide.completed'?: WindowLimit
    'orders.unhide.admission'?: WindowLimit
    'operations.whoami'?: WindowLimit
    'operations.listServices'?: WindowLimit
    'operations.lookupItems'?: WindowLimit
    'operations.getItem'?: WindowLimit
    'operations.createGiftQuote'?: WindowLimit
    'operations.createOrder'?: WindowLimit
    'operations.createCart'?: WindowLimit
    'operations.validateDtu'?: WindowLimit
    'operations.rateLimits'?: WindowLimit
    'operations.getBalance'?: WindowLimit
    'operations.getLedger'?: WindowLimit
  }
  /** What the interface does not show of an operation: path, body template, selectors. */
  operations?: {
    whoami?: Operation
    listServices?: Operation
    lookupItems?: Operation
    getItem?: Operation
    createGiftQuote?: Operation
    createOrder?: Operation
    getOrders?: Operation
    createCart?: Operation
    validateDtu?: Operation
    rateLimits?: Operation
    getBalance?: Operation
    getLedger?: Operation
  }
  /** Which of two readings the target follows. What is left out is observed. */
  answers?: Answers
  /**
   * Where the target offers the harness fresh accounts and keys (only test servers do; the reference service does).
   */
  control?: {
    /** Address of the control side, for example http://127.0.0.1:8081. */
    baseUrl: string
  }
}
export interface WindowLimit {
  count: number
  windowSeconds: number
}
export interface Credential {
  /** Name of the environment variable that holds the key. */
  env: string
  /**
   * Which account the key belongs to. Default: main, other for the role stranger, and background for the role background.
   */
  account?: string
  /**
   * The scopes that the key was issued with. Stated, the service is judged by them; otherwise one key that opens more or less than its role says is taken for a mistake of this file.
   */
  scopes?: ('product:read' | 'orders:write' | 'orders:read' | 'funds:read')[]
  /** The cap of the key, and what was spent of it when the run starts (default 0). */
  transactionLimit?: {
    /** Currency of the cap, for example USD. */
    currency: string
    /** The cap as text, for example "500.00". */
    limit: Money
    /** What was spent of it when the run starts, as text. */
    used?: Money
  }
  /**
   * The entries of the key's allowlist: no message may echo them. A list of one entry decides the form of that entry (ALLOW-04 to ALLOW-08), if one key of role allowed and one of role blocked have it.
   */
  allowlist?: string[]
}
export interface Product {
  /**
   * Values for the placeholders of body templates, for example serviceId and itemId. Of a platform gift: editionId and recipientRegion, and as otherEditionId and otherRecipientRegion a second of each that can be quoted too, at no higher price. The second edition has another name or another price.
   */
  variables?: {
    [k: string]: Scalar
  }
  /** Currency of its price, for example USD. */
  currency?: string
  /** Price of one piece, of one unit of a product by quantity, or of a top-up with amount 1. */
  unitPrice?: Money
  /** For asynchronous products: the longest time to a terminal state. */
  completesWithinSeconds?: number
  /**
   * Of a platform gift: how long a quoteToken can be used. An order with an older one must be refused. The harness waits for it, at most 600 s.
   */
  quoteSeconds?: number
  /** A text that both the service's and the item's name contain. */
  search?: string
}
export interface Operation {
  /** A path from the base URL on, for example /api/v1/orders. May hold {name} placeholders. */
  path?: string
  /** Only where the interface shows no path, and so no method. */
  method?: 'GET' | 'POST'
  /** Sent with every call; may hold {{name}} placeholders. */
  query?: {
    [k: string]: string
  }
  /**
   * Body template; a text {{name}} is replaced by the variable of that name, with its type where it stands alone.
   */
  body?: unknown
  /**
   * Templates by kind: bodies of POST /api/v1/orders; of POST /carts, positions of the kinds that its body does not have.
   */
  bodies?: {
    shop?: {
      [k: string]: unknown
    }
    dtu?: {
      [k: string]: unknown
    }
    'dtu-check'?: {
      [k: string]: unknown
    }
    esim?: {
      [k: string]: unknown
    }
    'platform-gift'?: {
      [k: string]: unknown
    }
  }
  /** By name of a value, where the answer holds it. */
  selectors?: {
    [k: string]: Selector
  }
  /** Of rateLimits alone: the unit of reported windows that are plain numbers. */
  windowUnit?: 'seconds' | 'milliseconds'
  /**
   * Of rateLimits alone: where its answer lists the windows, in the place of three selectors for each. A selector that is given as well wins.
   */
  windows?: {
    /** The list of windows in the answer, for example /data/rules. */
    list: Selector
    /** In each element, what names the window, for example /name. */
    name: Member
    /** In each element, the requests of one window, for example /budget/requests. */
    count: Member
    /** In each element, the seconds of one window, or a duration such as 60s, 1m0s or PT1M. */
    windowSeconds: Member
    /** In each element, whether the window is configured: rule or default. */
    source?: Member
    /**
     * By bucket or operation, what the answer calls it. If no bucket is named, the seven have the interface's names.
     */
    names?: {
      [k: string]: string
    }
  }
}
/** Which of two readings the target follows. What is left out is observed. */
export interface Answers {
  /** HTTP status of a request without a key. */
  missingKeyHttpStatus?: number
  /** HTTP status of a key that nobody has. */
  unknownKeyHttpStatus?: number
  /** HTTP status of a revoked key. */
  revokedKeyHttpStatus?: number
  /** HTTP status of an expired key. */
  expiredKeyHttpStatus?: number
  /** statusCode of a replayed purchase (IDEMPOTENCY_REPLAY). */
  replayStatusCode?: number
  /** statusCode of a success that is no replay. */
  successStatusCode?: number
  /** HTTP status of a replayed purchase. */
  replayHttpStatus?: number
  /** Where the feature gate of platform gifts stands. */
  platformGift?: 'enabled' | 'disabled'
  /** Whether the upstream gift service has its quote route. */
  giftQuotes?: 'given' | 'upstream-missing'
}
