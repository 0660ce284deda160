/**
 * The most that the texts of a request may have, in UTF-16 code units. The readers of requests judge by these, and the
 * contract describes them. They stand apart from the schemas, so that the Worker's bundle has none of their descriptions.
 */
export const LONGEST = {
  timestamp: 12,
  url: 2048,
  paymentMethod: 64,
  orderId: 32,
  orderNumber: 255,
  language: 35,
  description: 140,
} as const
