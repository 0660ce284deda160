/** An answer of Adyen's API. */
export type AdyenAnswer = { status: number; body: unknown; headers?: Record<string, string> }

/** An error as the Checkout API sends it: schema ServiceError of CheckoutService-v71. */
export function adyenError(
  status: number,
  errorCode: string,
  message: string,
  errorType = 'validation',
): AdyenAnswer {
  return { status, body: { status, errorCode, message, errorType } }
}

type Check = (value: unknown) => boolean

function text(maxLength = Infinity, minLength = 0): Check {
  return (value) => typeof value === 'string' && value.length <= maxLength && value.length >= minLength
}
const integer: Check = (value) => Number.isSafeInteger(value)
const flag: Check = (value) => typeof value === 'boolean'
function oneOf(...allowed: string[]): Check {
  return (value) => typeof value === 'string' && allowed.includes(value)
}
function list(item: Check): Check {
  return (value) => Array.isArray(value) && value.every(item)
}
function object(fields: Record<string, Check>): Check {
  return (value) =>
    isObject(value) &&
    Object.entries(value).every(([name, member]) => Object.hasOwn(fields, name) && fields[name]?.(member))
}
const anyObject: Check = (value) => isObject(value)
const timestamp: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(value)

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of a LineItem, what a hub could know. */
const lineItem = object({
  amountExcludingTax: integer,
  amountIncludingTax: integer,
  description: text(10_000),
  id: text(),
  quantity: integer,
  taxAmount: integer,
  taxPercentage: integer,
})

/** PaymentLinkRequest of CheckoutService-v71, each field with its type and limit. */
const PAYMENT_LINK_REQUEST: Record<string, Check> = {
  allowedPaymentMethods: list(text()),
  amount: object({ currency: text(3, 3), value: integer }),
  applicationInfo: anyObject,
  billingAddress: anyObject,
  blockedPaymentMethods: list(text()),
  captureDelayHours: integer,
  countryCode: text(100),
  dateOfBirth: text(),
  deliverAt: timestamp,
  deliveryAddress: anyObject,
  description: text(280),
  expiresAt: timestamp,
  fundOrigin: anyObject,
  fundRecipient: anyObject,
  installmentOptions: anyObject,
  lineItems: list(lineItem),
  manualCapture: flag,
  mcc: text(16),
  merchantAccount: text(),
  merchantOrderReference: text(1000),
  metadata: (value) => isObject(value) && Object.values(value).every(text()),
  platformChargebackLogic: anyObject,
  recurringProcessingModel: oneOf('CardOnFile', 'Subscription', 'UnscheduledCardOnFile'),
  reference: text(80, 1),
  requiredShopperFields: list(text()),
  returnUrl: text(8000),
  reusable: flag,
  riskData: anyObject,
  shopperEmail: text(500),
  shopperLocale: text(32),
  shopperName: anyObject,
  shopperReference: text(256, 3),
  shopperStatement: text(10_000),
  showRemovePaymentMethodButton: flag,
  socialSecurityNumber: text(32),
  splitCardFundingSources: flag,
  splits: list(anyObject),
  store: text(),
  storePaymentMethodMode: oneOf('askForConsent', 'disabled', 'enabled'),
  telephoneNumber: text(32),
  themeId: text(),
  threeDS2RequestData: anyObject,
}

const PAYMENT_METHODS_REQUEST: Record<string, Check> = {
  allowedPaymentMethods: list(text()),
  amount: object({ currency: text(3, 3), value: integer }),
  blockedPaymentMethods: list(text()),
  channel: oneOf('iOS', 'Android', 'Web'),
  countryCode: text(),
  merchantAccount: text(),
  shopperLocale: text(),
}

type Schema = { name: string; fields: Record<string, Check>; required: readonly string[] }

/** PaymentRefundRequest of CheckoutService-v71. */
const PAYMENT_REFUND_REQUEST: Record<string, Check> = {
  amount: object({ currency: text(3, 3), value: integer }),
  applicationInfo: anyObject,
  capturePspReference: text(),
  enhancedSchemeData: anyObject,
  lineItems: list(lineItem),
  merchantAccount: text(),
  merchantRefundReason: oneOf('FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER'),
  reference: text(80),
  splits: list(anyObject),
  store: text(),
}

export const REQUESTS = {
  create: {
    name: 'PaymentLinkRequest',
    fields: PAYMENT_LINK_REQUEST,
    required: ['amount', 'merchantAccount', 'reference'],
  },
  update: {
    name: 'UpdatePaymentLinkRequest',
    fields: { status: oneOf('expired') },
    required: ['status'],
  },
  refund: {
    name: 'PaymentRefundRequest',
    fields: PAYMENT_REFUND_REQUEST,
    required: ['amount', 'merchantAccount'],
  },
  methods: {
    name: 'PaymentMethodsRequest',
    fields: PAYMENT_METHODS_REQUEST,
    required: ['merchantAccount'],
  },
} as const satisfies Record<string, Schema>

/** Open invoices cannot be offered without the lines of the order. */
function needsLines(type: unknown): boolean {
  return typeof type === 'string' && /^(klarna|riverty|afterpay|clearpay|ratepay|affirm)/.test(type)
}

/** What Adyen has against a request of a schema, or its fields. */
export function checkRequest(
  { name, fields, required }: Schema,
  body: string,
): { ok: true; fields: Record<string, unknown> } | { ok: false; answer: AdyenAnswer } {
  const refuse = (answer: AdyenAnswer) => ({ ok: false as const, answer })
  let request: unknown
  try {
    request = JSON.parse(body)
  } catch {
    return refuse(adyenError(400, '702', 'Unexpected input'))
  }
  if (!isObject(request)) return refuse(adyenError(400, '702', 'Unexpected input'))
  const unknown = Object.keys(request).filter((field) => !Object.hasOwn(fields, field))
  if (unknown.length > 0) {
    const message = `Structure of ${name} contains the following unknown fields: [${unknown.join(', ')}]`
    return refuse(adyenError(400, '702', message))
  }
  const missing = required.find((field) => request[field] === undefined)
  if (missing) return refuse(adyenError(422, '14_006', `Required field '${missing}' is not provided.`))
  const wrong = Object.keys(request).find((field) => !fields[field]?.(request[field]))
  if (wrong) return refuse(adyenError(422, '14_007', `Invalid field '${wrong}'.`))
  const { amount, allowedPaymentMethods, lineItems } = request
  if (isObject(amount) && (Number(amount['value']) < 0 || !/^[A-Z]{3}$/.test(String(amount['currency'])))) {
    return refuse(adyenError(422, '137', 'Invalid amount specified'))
  }
  const lines = Array.isArray(lineItems) ? lineItems.length : 0
  return Array.isArray(allowedPaymentMethods) && allowedPaymentMethods.some(needsLines) && lines === 0
    ? refuse(adyenError(422, '14_006', "Required field 'lineItems' is not provided."))
    : { ok: true, fields: request }
}
