/**
 * The names of payment methods that points of sale use, in small letters: those of the table in docs/psps.md. What a live point
 * of sale may use is up to its routes; test mode knows these, so that a shop does not meet its first refusal in live mode.
 */
export const PAYMENT_METHODS: readonly string[] = (
  'ideal bancontact creditcard card paypal klarna sofort sepa banktransfer giropay wero applepay ' +
  'googlepay eps przelewy24 p24 blik twint mbway multibanco trustly vipps mobilepay swish alipay ' +
  'wechatpay belfius kbc in3 riverty billie satispay bizum paybybank giftcard'
).split(' ')

/** Whether a name is a common one, in small or capital letters. */
export const isPaymentMethod = (name: string): boolean => PAYMENT_METHODS.includes(name.toLowerCase())
