/**
 * Examples of https://github.com/MultiSafepay/docs (9e11aa0a5),
 * openapi/components/examples/requests
 */
export const PAYMENT_PAGE = {
  type: 'redirect',
  order_id: 'my-order-id-1',
  currency: 'EUR',
  amount: 37485,
  description: 'Test Order Description',
  payment_options: {
    notification_method: 'POST',
    notification_url: 'https://www.example.com/webhooks/payment',
    redirect_url: 'https://www.example.com/order/success',
    cancel_url: 'https://www.example.com/order/failed',
  },
}

export const IDEAL_REDIRECT = {
  type: 'redirect',
  gateway: 'IDEAL',
  order_id: 'my-order-id-1',
  currency: 'EUR',
  amount: 1000,
  description: 'Test order description',
  payment_options: {
    notification_method: 'POST',
    notification_url: 'https://www.example.com/client/notification?type=notification',
    redirect_url: 'https://www.example.com/client/notification?type=redirect',
    cancel_url: 'https://www.example.com/client/notification?type=cancel',
    close_window: true,
  },
  customer: { locale: 'nl_NL' },
}

export const CANCEL_ORDER = { status: 'cancelled', exclude_order: true }

/**
 * openapi/components/examples/requests/capture, and the examples of openapi/paths/capture@{order_id}.yaml.
 * The document requires an amount, and says that a full capture must "specify the original amount", but its
 * example has none.
 */
export const PARTIAL_CAPTURE = {
  amount: 2000,
  new_order_id: 'my-order-id-01',
  new_order_status: 'completed',
  invoice_id: '',
  tracktrace_code: '',
  carrier: '',
  reason: '',
  description: '',
}
export const FULL_CAPTURE = {
  new_order_id: 'my-order-id-01',
  new_order_status: 'completed',
  invoice_id: '001',
  tracktrace_code: '',
  carrier: '',
  reason: '',
  description: '',
}
export const CANCEL_RESERVATION = {
  status: 'cancelled',
  reason: 'The transaction appeared fraudulent.',
  description: 'Suspiciously large order from unusual country.',
}

/** openapi/components/examples/requests/refunds and responses/refundOrder.json */
export const REFUND_ORDER = {
  currency: 'EUR',
  amount: 500,
  description: '',
  refund_order_id: 'refund-order-id-1234',
  var1: 'test-string1',
  var2: 'test-string2',
  var3: 'test-string3',
}
export const REFUND_TAKEN = {
  success: true,
  data: { order_id: 'case-20220404-06-0001', transaction_id: 6_303_074 },
}

/**
 * The related transaction of responses/getReceiptRefund.json, with the further members of
 * RelatedTransactions.yaml.
 */
export const RELATED_TRANSACTION = {
  amount: 2501,
  costs: [],
  created: '2023-02-23T15:34:25',
  currency: 'EUR',
  description: 'Refund order 94543565 for 4terminals',
  modified: '2023-02-23T15:34:25',
  order_id: '94543565',
  reference_transaction_id: 7_656_837,
  refund_order_id: 'refund-order-id-1234',
  status: 'reserved',
  transaction_id: 7_686_125,
  type: 'refund',
}

/**
 * The required members of openapi/components/schemas/CloudMode.yaml with their examples, and
 * `examples/responses/terminalCloudModeResponse.json`.
 */
export const CLOUD_ORDER = {
  type: 'redirect',
  order_id: 'my-order-id-1',
  gateway: '',
  currency: 'EUR',
  amount: 1000,
  description: 'Example order description',
  payment_options: {
    notification_url: 'https://www.examplewebsite.com/order-updates',
    notification_method: 'POST',
  },
  customer: { locale: 'nl_NL' },
  gateway_info: { terminal_id: '00000ABC' },
}
export const CLOUD_CREATED = {
  success: true,
  data: {
    order_id: 'oder_id_example',
    session_id: '803Xh9YU7BpZr3DjB6NN9TjK7KxoTmx9SrC',
    events_token: 'eyJhbGciOiJIUzI1NiJ9.e30.v_759rqCkk4vKbsOwawZUwNDVW',
    events_stream_url: 'https://api.multisafepay.com/events/stream/',
  },
}

/** The answers to a cancellation and to Get order in content/point-of-sale/smartpos-solutions.md */
export const CLOUD_CANCELLED = {
  success: true,
  data: {
    costs: [],
    created: 'dateTtime',
    custom_info: { custom_1: null, custom_2: null, custom_3: null },
    fastcheckout: 'NO',
    financial_status: null,
    modified: 'dateTtime',
    payment_details: {},
    payment_methods: null,
    status: 'cancelled',
  },
}
export const CLOUD_DETAILS = {
  account_holder_name: 'card holder',
  account_id: null,
  application_id: 'a0000000031010',
  authorization_code: '705151',
  card_acceptor_id: '1001001',
  card_acceptor_location: 'Amsterdam',
  card_acceptor_name: 'TestMSP',
  card_additional_response_data: { sca_details: {} },
  card_authentication_result: null,
  card_entry_mode: 'ICC_CONTACTLESS',
  card_expiry_date: '3112',
  card_funding: 'D',
  card_product: 'F',
  card_product_type: 1,
  card_sequence_number: '0000',
  card_verification_result: '2',
  cardholder_verification_method: 'FAILED',
  cardholder_verification_result: 'UNKNOWN',
  emv: { '91': 'ab1231231234' },
  external_transaction_id: '12312312312',
  issuer_bin: '123123',
  issuer_country_code: 'ES',
  last4: '1234',
  recurring_flow: null,
  recurring_id: '1231213123',
  recurring_model: null,
  response_code: '00',
  scheme_reference_id: '123123123123123',
  terminal_id: '0000004d',
  type: 'VISA',
}

/** openapi/components/examples/responses/listTerminals.json */
export const LISTED_TERMINAL = {
  id: '00000LQT',
  provider: 'SMARTPOS',
  name: 'Terminal 00000LQT',
  code: '565d68b1-6f1e-4d28-9137-f58012c2718f',
  created: '2025-05-14T09:16:56Z',
  last_updated: '2025-05-14T09:17:41Z',
  manufacturer_id: null,
  serial_number: null,
  active: false,
  group_id: 57_958,
  country: null,
}

/**
 * The signed notification of https://docs.multisafepay.com/docs/webhook, "Own solution", with the key shown
 * there.
 */
export const DOCUMENTED = {
  timestamp: 1_641_218_884,
  key: '8HHhGgRWrA3O7NswjmgwyH7buPPCGnR5AkwAQyqI',
  auth:
    'MTY0MTIxODg4NDowNmNiZjIyNmU3Yzg3M2VmZjk2OTIxZDdmZGUzOTk4ZWI2YmUwZGU3OTE1ZWUxYzFiNTE0OTUxMWZjYTgy' +
    'ZTI2YmIwYWIyZTZkMGUwYWQ5OTdjYmFiMTUxZTRiYTU2MTU0MThkOGUxMjUyODMwMTcyNjE0M2VkMTE0NjI4N2Y5Mw==',
  body:
    '{"amount":1000,"amount_refunded":0,"costs":[{"amount":0.49,"description":"0.49 For iDEAL Transac' +
    'tions","transaction_id":"123456789","type":"SYSTEM"}],"created":"2022-01-03T15:08:02","currency"' +
    ':"EUR","custom_info":{"custom_1":null,"custom_2":null,"custom_3":null},"customer":{"address1":nu' +
    'll,"address2":null,"city":null,"country":null,"country_name":null,"email":"","first_name":null,"' +
    'house_number":null,"last_name":null,"locale":"en_US","phone1":null,"phone2":"","state":null,"zip' +
    '_code":null},"description":"product description","fastcheckout":"NO","financial_status":"initial' +
    'ized","items":null,"modified":"2022-01-03T15:08:02","order_id":"my-order-id", "payment_details":' +
    '{"account_holder_name":null,"account_iban":"https://example.com","account_id":null,"external_tra' +
    'nsaction_id":"123456789","issuer_id":"3151","recurring_flow":null,"recurring_id":null,"recurring' +
    '_model":null,"type":"IDEAL"},"payment_methods":[{"amount":1000,"currency":"EUR","description":"p' +
    'roduct description","external_transaction_id":"123456789","payment_description":"iDEAL","status"' +
    ':"initialized","type":"IDEAL"}],"reason":"","reason_code":"","related_transactions":null,"status' +
    '":"initialized","transaction_id":"123456789","var1":null,"var2":null,"var3":null}',
}
