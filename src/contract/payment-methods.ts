/**
 * The common names of payment methods, in small letters: those of the table in docs/psps.md. A point of sale in test mode is told
 * these, so that a shop can be built before its contracts are signed. What a live one may use is up to its routes.
 */
export const PAYMENT_METHODS: readonly string[] = (
  'ideal bancontact creditcard card paypal klarna sofort sepa banktransfer wero applepay ' +
  'googlepay eps przelewy24 p24 blik twint mbway multibanco trustly vipps mobilepay swish alipay ' +
  'wechatpay belfius kbc riverty billie satispay bizum paybybank giftcard'
).split(' ')

/**
 * Names that no PSP takes from the hub: giropay has ended, and in3 needs what an order does not have. Test mode takes them
 * all the same, for programs written for other hubs. Nobody is told them.
 */
export const FORMER_METHODS: readonly string[] = ['giropay', 'in3']
