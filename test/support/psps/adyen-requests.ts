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
const timestamp: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(value)

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of a LineItem that the hub could fill in. */
const lineItem = object({
  amountExcludingTax: integer,
  amountIncludingTax: integer,
  description: text(10_000),
  id: text(),
  quantity: integer,
  taxAmount: integer,
  taxPercentage: integer,
})

/** Fields that no test sends. Any value is accepted. */
function anything(names: string): Record<string, Check> {
  return Object.fromEntries(names.split(' ').map((name) => [name, () => true]))
}

/** PaymentLinkRequest of CheckoutService-v71: each field that a hub could send has its type and limit. */
const PAYMENT_LINK_REQUEST: Record<string, Check> = {
  ...anything(
    'applicationInfo billingAddress dateOfBirth deliverAt deliveryAddress ' +
      'fundOrigin fundRecipient installmentOptions mcc platformChargebackLogic recurringProcessingModel ' +
      'reusable riskData shopperName shopperStatement showRemovePaymentMethodButton socialSecurityNumber ' +
      'splitCardFundingSources splits store storePaymentMethodMode telephoneNumber themeId threeDS2RequestData',
  ),
  allowedPaymentMethods: list(text()),
  blockedPaymentMethods: list(text()),
  countryCode: text(2, 2),
  amount: object({ currency: text(3, 3), value: integer }),
  captureDelayHours: integer,
  description: text(280),
  expiresAt: timestamp,
  lineItems: list(lineItem),
  manualCapture: (value) => typeof value === 'boolean',
  merchantAccount: text(),
  merchantOrderReference: text(1000),
  metadata: (value) => isObject(value) && Object.values(value).every(text()),
  reference: text(80, 1),
  requiredShopperFields: list(text()),
  returnUrl: text(8000),
  shopperEmail: text(500),
  shopperLocale: text(32),
  shopperReference: text(256, 3),
}

const PAYMENT_METHODS_REQUEST: Record<string, Check> = {
  ...anything('allowedPaymentMethods amount blockedPaymentMethods channel countryCode shopperLocale'),
  merchantAccount: text(),
}

type Schema = { name: string; fields: Record<string, Check>; required: readonly string[] }

/** PaymentRefundRequest of CheckoutService-v71. */
const PAYMENT_REFUND_REQUEST: Record<string, Check> = {
  ...anything('applicationInfo capturePspReference enhancedSchemeData merchantRefundReason splits store'),
  amount: object({ currency: text(3, 3), value: integer }),
  lineItems: list(lineItem),
  merchantAccount: text(),
  reference: text(80),
}

/** PaymentCaptureRequest of CheckoutService-v71. */
const PAYMENT_CAPTURE_REQUEST: Record<string, Check> = {
  ...anything('applicationInfo enhancedSchemeData platformChargebackLogic splits subMerchants'),
  amount: object({ currency: text(3, 3), value: integer }),
  lineItems: list(lineItem),
  merchantAccount: text(),
  reference: text(80),
}

/** PaymentCancelRequest of CheckoutService-v71. */
const PAYMENT_CANCEL_REQUEST: Record<string, Check> = {
  ...anything('applicationInfo enhancedSchemeData'),
  merchantAccount: text(),
  reference: text(80),
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
  capture: {
    name: 'PaymentCaptureRequest',
    fields: PAYMENT_CAPTURE_REQUEST,
    required: ['amount', 'merchantAccount'],
  },
  cancel: {
    name: 'PaymentCancelRequest',
    fields: PAYMENT_CANCEL_REQUEST,
    required: ['merchantAccount'],
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

/** Whether a method needs the lines of the order, as open invoices do. */
function needsLines(type: unknown): boolean {
  return typeof type === 'string' && /^(klarna|riverty|afterpay|clearpay|ratepay|affirm)/.test(type)
}

/** Checks a request against a schema. Returns its fields, or Adyen's error. */
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
