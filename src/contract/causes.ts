import type { Move } from './why.ts'

/*
 * Why a payment stands as it does: whose move it is, what happened, and what a person can do. The core finds the
 * cause. The operator API, the CLI, the console and docs/operating take their words from here.
 *
 * The operator API fills in each `{value}`. The documents show the first part of its name (ACCOUNT, AMOUNT, TIME),
 * a name with spaces as it is, and nothing for `{more.…}`, which is empty if there is no more to say.
 */

/**
 * What a person can do, each with its sentence. Brackets hold what differs: the CLI's words, with its command, and
 * those of the console's link to the operation `does`.
 */
export const TODOS = {
  nothing: { says: 'There is nothing to do.' },
  wait: { says: 'Wait.{more.notAgain}' },
  'new-job': { says: 'If the shop still wants the money, it makes a new payment job.' },
  'ask-psp': { says: '[Run `job pull` to ask the PSP|Ask the PSP] now.', does: 'pullJob' },
  'watch-psp': { says: "Look at the PSP's status page. The shop hands over no goods yet." },
  announce: { says: '[Run `job announce` to try|Announce the order] now anyway.', does: 'announceJob' },
  'let-pay': { says: 'The customer can pay at payUrl until {time.until}.' },
  tap: { says: 'The customer presents a card at the terminal, or the shop cancels.' },
  'take-nothing': { says: 'The shop must not take the money again, neither by card nor in cash.' },
  'pay-otherwise': {
    says: 'The shop makes a new payment job: with another card, at another terminal, or on a page.',
  },
  'check-terminal': {
    says: 'Check whether the terminal is on: [`terminal list {account}`|Terminals].',
    does: 'listTerminals',
  },
  capture: {
    says: 'The shop captures what it delivers, or you do: [`job capture`|Capture].',
    does: 'captureJob',
  },
  release: { says: 'To release the rest: [`job release`|Release].', does: 'releaseJob' },
  refund: { says: 'Refund the money: [`job refund --all`|Refund].', does: 'refundJob' },
  'refund-again': {
    says: 'Repeat the refund: [`job refund --amount {amount.again}`|Refund].',
    does: 'refundJob',
  },
  'refund-rest': {
    says: 'Refund the surplus: [`job refund --amount {amount.open}`|Refund].',
    does: 'refundJob',
  },
  'check-account': { says: '[Run `psp check {account}`|Check the account].', does: 'checkAccount' },
  'renew-credentials': {
    says: 'Then [run `psp rekey {account}`|replace its credentials].',
    does: 'replaceCredentials',
  },
  'route-elsewhere': {
    says: 'Or route the payment method to an account other than {account}: [`pos route`|Routes of the shop].',
    does: 'showPointOfSale',
  },
  'look-at-psp': { says: 'Look at payment {reference} at the PSP.' },
  'change-order': { says: 'The shop changes the order, or offers another payment method.' },
  'mend-receiver': { says: 'The shop must fix its receiver at {address}.' },
  'send-report-again': {
    says: 'Then [run `report resend {id}`|send the report again].',
    does: 'resendReport',
  },
  'change-report-url': {
    says: 'The shop must send another report_url with its orders, and read this job itself.',
  },
  'answer-dispute': { says: 'The shop answers the dispute at the PSP in time, or accepts it.' },
  'collect-rest': { says: 'Or the shop collects the rest with a new payment job.' },
  'keep-goods': { says: 'The shop hands over no goods for that money.' },
  'look-at-others': {
    says: 'The shop checks whether its customer paid twice. If so, refund one of the payments: [`job refund --all`|Refund].',
    does: 'refundJob',
  },
  clear: {
    says: 'If you settle it another way, record that: [`job clear-money {id} --note WHY`|Clear the money].',
    does: 'clearMoney',
  },
  'deliver-or-refund': { says: 'The shop still delivers, or refunds the money.' },
} as const satisfies Record<string, { says: string; does?: string }>
export type TodoName = keyof typeof TODOS

/** The brackets of a sentence: the CLI's words, and the console's. */
export const LINK = /\[([^[\]|]+)\|([^[\]|]+)\]/

/** Makes rows of causes after which it is `move`'s move: what happened, then what a person can do. */
function moveOf(move: Move) {
  return <const Text extends string>(happened: Text) => ({
    todo: (...todo: readonly [TodoName, ...TodoName[]]) => ({ move, happened, todo }),
  })
}
const [customer, psp, shop] = [moveOf('customer'), moveOf('psp'), moveOf('shop')]
const [operator, hub, nobody] = [moveOf('operator'), moveOf('hub'), moveOf('nobody')]

/** Every cause, in the order of the page. Programs rely on the names. */
export const CAUSES = {
  // The payment is PENDING.
  'customer-not-back': customer(
    "The customer has neither paid nor come back from the PSP's page. The payment is still open at {account}.",
  ).todo('let-pay', 'ask-psp'),
  'customer-came-back': customer(
    'The customer came back from the PSP at {time.back} without having paid. The PSP of {account} says that the payment is still open.',
  ).todo('let-pay', 'ask-psp'),
  'part-is-due': customer('The customer has paid {amount.paid}; {amount.due} is still due.').todo(
    'let-pay',
    'ask-psp',
  ),
  'money-underway': psp(
    'The customer has paid by {method} at {account}, and the money has been on its way since {time.stage}. The PSP should say by {time.until} whether it arrived.',
  ).todo('wait'),
  'money-reserved': hub(
    'The money has been reserved at {account} since {time.stage}, and the hub is about to capture it. The reservation ends at {time.until}.',
  ).todo('wait'),
  'capture-refused': operator(
    'The money is reserved at {account}. The capture of {amount.instructed} failed: {reason}',
  ).todo('look-at-psp', 'ask-psp'),
  'capture-failed': shop('The capture of {amount.instructed} failed: {reason}').todo('capture', 'release'),
  'capture-awaited': shop(
    '{amount.capturable} is reserved at {account}, and the shop has not captured it yet. What is not captured by {time.reserved} is released.',
  ).todo('capture', 'release'),
  'capture-ends-soon': shop(
    '{amount.capturable} is reserved at {account}, and the shop has not captured it yet. What is not captured by {time.reserved}, in less than a day, is released.',
  ).todo('capture', 'release'),
  'capture-pending': psp(
    'A capture of {amount.instructed} was requested at {time.asked}{, and the PSP has not done it yet}.{more.checkedAgain}',
  ).todo('wait'),
  'release-pending': psp(
    'A release of {amount.instructed} was requested at {time.asked}{, and the PSP has not done it yet}.{more.checkedAgain}',
  ).todo('wait'),
  'release-failed': hub('The release of {amount.instructed} failed: {reason}{more.releasedAgain}').todo(
    'look-at-psp',
    'release',
  ),
  'psp-silent-at-announcement': psp(
    'The PSP of {account} has not answered, so the customer cannot pay yet.{more.tried}{more.lastError}{more.othersTried}{more.announcedAgain}',
  ).todo('watch-psp', 'route-elsewhere'),
  'psp-wants-no-request': psp(
    'The PSP of {account} wants no request before {time.held}, so the customer cannot pay yet.{more.lastError}{more.othersTried}{more.announcedAgain}',
  ).todo('announce', 'route-elsewhere'),
  'psp-silent-at-pulls': psp(
    'When the hub asked about the payment{more.span}, the PSP of {account} did not answer.{more.askError}{more.askedAgain}',
  ).todo('watch-psp', 'ask-psp'),
  'psp-end-unknown': psp(
    'The time to pay ended at {time.until}, and the PSP of {account} has not yet said how the payment ended.{more.askedAgain}',
  ).todo('watch-psp', 'ask-psp'),
  'psp-refuses-credentials': operator(
    '{The PSP} refused the credentials of {account}{more.atWhat}.{more.refused}',
  ).todo('check-account', 'renew-credentials'),
  'psp-knows-no-payment': operator(
    'When the hub asked about the payment{more.span}, the {psp} did not know it.{more.restored}{more.askedAgain}',
  ).todo('check-account'),
  'signed-not-shown': operator(
    "A signed notification says that a payment of this order was authorised, but the PSP's API does not show it as paid. The customer may have paid.{more.askedAgain}",
  ).todo('take-nothing', 'look-at-psp', 'ask-psp'),
  'terminal-asked': hub('The hub is sending the order to terminal {terminal} of {account}.').todo('wait'),
  'terminal-waits-for-card': customer(
    'Terminal {terminal} of {account} {is waiting for a card}, until {time.until} at the latest.',
  ).todo('tap', 'ask-psp'),
  'terminal-in-doubt': psp(
    'The hub does not know how the payment at terminal {terminal} of {account} ended: the customer may have paid. The hub keeps asking until {time.doubt} at the latest.{more.silence}{more.lookedAgain}',
  ).todo('take-nothing', 'look-at-psp', 'ask-psp'),
  // It has ended, and its report is delivered.
  paid: nobody(
    'The customer paid {amount.paid}{more.ofOrder}{more.where}; the hub learnt of it at {time.end}.{more.letGo}',
  ).todo('nothing'),
  'psp-refused-order': shop('The PSP of {account} refused the order at {time.end}.{more.itSaid}').todo(
    'change-order',
    'new-job',
  ),
  'payment-failed': nobody('The payment at {account} failed at {time.end}.').todo('new-job'),
  'terminal-busy': shop(
    'Terminal {terminal} of {account} was busy{, and took no money}; the payment failed at {time.end}.{more.errorWas}',
  ).todo('pay-otherwise'),
  'terminal-off': shop(
    'Terminal {terminal} of {account} was off{, and took no money}; the payment failed at {time.end}.{more.errorWas}',
  ).todo('pay-otherwise', 'check-terminal'),
  'terminal-unreachable': shop(
    'Terminal {terminal} of {account} could not be reached, or could not reach its bank{, and took no money}; the payment failed at {time.end}.{more.errorWas}',
  ).todo('pay-otherwise', 'check-terminal'),
  'terminal-declined': shop(
    'Terminal {terminal} of {account} declined the card{, and took no money}; the payment failed at {time.end}.{more.errorWas}',
  ).todo('pay-otherwise'),
  'terminal-refused': operator(
    'Terminal {terminal} of {account} may not take this payment{, and took no money}; the payment failed at {time.end}.{more.errorWas}',
  ).todo('pay-otherwise', 'check-account'),
  'cancelled-by-customer': nobody(
    'The customer cancelled the payment at {account}; the hub learnt of it at {time.end}.',
  ).todo('new-job'),
  'cancelled-by-shop': nobody('The shop cancelled the payment at {time.end}.').todo('new-job'),
  'cancelled-by-operator': nobody('An operator cancelled the payment at {time.end}.').todo('new-job'),
  released: nobody('The reserved money was released at {time.end}.').todo('nothing'),
  'not-captured-in-time': nobody(
    'The reserved money was not captured in time, so it was released; the job ended at {time.end}.',
  ).todo('new-job'),
  expired: nobody('{The customer did not pay} in time; the job ended at {time.end}.').todo('new-job'),
  'expired-unannounced': operator(
    'The PSP of {account} never took the order, so the customer could not pay; the job ended at {time.end}.{more.lastError}',
  ).todo('check-account', 'new-job'),
  'expired-unconfirmed': operator(
    'For {three days (at a terminal a day)} after the time to pay, the PSP of {account} did not say how the payment ended; the job ended at {time.end}. The customer may have paid.',
  ).todo('look-at-psp', 'ask-psp'),
  // Its report is not delivered.
  'report-due': hub('The report to the shop has been due since {time.report}, and is about to be sent.').todo(
    'wait',
  ),
  'receiver-answers-error': shop(
    'The shop has not received the report after {some tries}:{more.lastAt} its receiver answered {status}{more.redirect}.{more.itsAnswer}{more.reportedAgain}',
  ).todo('mend-receiver', 'send-report-again'),
  'receiver-unreachable': shop(
    'The shop has not received the report after {some tries}:{more.lastAt} its receiver could not be reached.{more.itsAnswer}{more.reportedAgain}',
  ).todo('mend-receiver', 'send-report-again'),
  'receiver-too-slow': shop(
    'The shop has not received the report after {some tries}:{more.lastAt} its receiver did not answer in time.{more.itsAnswer}{more.reportedAgain}',
  ).todo('mend-receiver', 'send-report-again'),
  'report-given-up': shop(
    'The shop has not received the report: the hub tried {for three days}, and gave up{more.lastAt}. The last result: {status}.{more.theAnswer}',
  ).todo('mend-receiver', 'send-report-again'),
  'report-unwanted': shop(
    'The shop has not received the report:{more.lastAt} its receiver answered 410, which means that it wants no more reports. The hub gave up.',
  ).todo('mend-receiver', 'send-report-again'),
  'report-address-refused': shop(
    "The shop has not received the report: the hub sends nothing to {address}, because it is not a public https address, or is the hub's own. The hub gave up{more.lastAt}.",
  ).todo('change-report-url'),
  // The money is not as it should be.
  'paid-twice': operator(
    'The order was paid more than once: besides the payment at {account}, {AMOUNT at another}.',
  ).todo('refund', 'clear'),
  'paid-at-other-account': nobody(
    'Money arrived at an account that had not answered the announcement of the order: {AMOUNT at another}.',
  ).todo('nothing'),
  'charged-back': shop('{amount.chargedBack} was charged back{more.learnt}.').todo('answer-dispute'),
  'cancelled-after-paid': shop(
    '{amount.lost} that counted as paid was later cancelled at the PSP, rejected in its review, or expired there: the shop does not get it.',
  ).todo('keep-goods', 'new-job'),
  'capture-bounced': shop(
    'A capture failed after it had succeeded: the shop does not get {amount.lost}.{more.bounced}',
  ).todo('keep-goods', 'new-job'),
  'still-reserved': operator(
    '{amount.capturable} is still reserved at {account} although the job has ended, because the PSP has not released it. The release of {amount.instructed} failed: {reason}',
  ).todo('look-at-psp', 'release'),
  'refund-failed': operator('The refund of {amount.instructed} failed: {reason}').todo('refund-again'),
  overpaid: operator('The customer paid {amount.surplus} more than was due.').todo('refund-rest', 'clear'),
  'paid-in-part': operator('Only {amount.paid} of {amount.order} was paid.').todo(
    'refund',
    'collect-rest',
    'clear',
  ),
  'paid-late': operator('The money came after the job had ended.').todo('deliver-or-refund', 'clear'),
  'late-accepted': nobody(
    'The money came after the job had ended, and the shop has accepted the report that the order is paid.',
  ).todo('nothing'),
  'order-paid-again': shop('Order {order} was also paid by {jobs}.').todo('look-at-others'),
  cleared: nobody('An operator cleared {amount.cleared}: the audit log has the reason.').todo('nothing'),
  'refund-pending': psp(
    'A refund of {amount.instructed} was requested at {time.asked}{, and the PSP has not done it yet}.{more.checkedAgain}',
  ).todo('wait'),
  refunded: nobody('{amount.refunded} was refunded.').todo('nothing'),
}
export type Cause = keyof typeof CAUSES
