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
 * Its openapi/components/examples/requests/capture, and the examples of
 * openapi/paths/capture@{order_id}.yaml. The document requires an amount, and a full capture is to
 * "specify the original amount": its example has none.
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

/** Examples of its openapi/components/examples/requests/refunds and responses/refundOrder.json */
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
 * The related transaction of responses/getReceiptRefund.json, and what RelatedTransactions.yaml has
 * besides.
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
 * The signed notification of https://docs.multisafepay.com/docs/webhook, "Own solution", with the
 * key it shows.
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
