import { type Play, type Scenario, type Scenarios, scenario } from './scenario.ts'
import type { Money } from './judge.ts'
import type { Order, Stage } from './stage.ts'

const DAY = 86_400

async function paidOrder(stage: Stage, money?: Money): Promise<Order> {
  const order = await stage.order(money)
  await order.act('pay')
  await order.isTold('SUCCESS')
  return order
}

/** A payment that ends by an action at the sandbox, after which the customer comes back. */
function ends(action: string, status: string): Play {
  return async (stage) => {
    const order = await stage.order()
    await order.act(action)
    await order.comeBack()
    await order.isTold(status)
  }
}

/** An order of so much, which is paid. */
function pays(amount: string, currency: string): Scenario {
  return scenario(
    `An order of ${currency} ${amount} is paid.`,
    'Send the amount as a text in whole currency, with the decimals of the currency.',
    async (stage) => void (await paidOrder(stage, { amount, currency })),
  )
}

const PAID = 'Call the order paid once a report or a read says SUCCESS.'
const UNPAID = 'Call the order unpaid: decide by the status of the job, which is not SUCCESS.'
const NO_PROOF = 'Take a return for no proof of payment. Read the job, or wait for its report.'

/** How payments end, and how customers come back. */
export const PAYMENTS: Scenarios = {
  paid: scenario('The customer pays, and comes back.', PAID, ends('pay', 'SUCCESS')),
  declined: scenario('The payment fails.', UNPAID, ends('fail', 'FAILURE')),
  cancelled: scenario('The customer cancels.', UNPAID, ends('cancel', 'CANCELLED')),
  reserved: scenario('The money is reserved, and captured.', PAID, ends('authorize', 'SUCCESS')),
  expired: scenario('Nobody pays in time.', UNPAID, async (stage) => {
    const order = await stage.order()
    await order.letPass(3 * DAY)
    await order.isTold('EXPIRED')
  }),
  'paid-late': scenario(
    'The money is on its way, and arrives days later.',
    'Call the order unpaid while the job is PENDING, and paid once it is SUCCESS.',
    async (stage) => {
      const order = await stage.order()
      await order.act('underway')
      await order.comeBack()
      await order.letPass(2 * DAY)
      await order.isUnpaid()
      await order.act('arrive')
      await order.isTold('SUCCESS')
    },
  ),
  'never-arrives': scenario('The money is on its way, and never arrives.', UNPAID, async (stage) => {
    const order = await stage.order()
    await order.act('underway')
    await order.comeBack()
    await order.isUnpaid()
    await order.act('fail')
    await order.isTold('FAILURE')
  }),
  'paid-after-expiry': scenario(
    'The payment expires, and is paid after that.',
    'Call the order paid after all: SUCCESS counts, whatever came before it.',
    async (stage) => {
      const order = await stage.order()
      await order.act('expire')
      await order.isTold('EXPIRED')
      await order.act('pay-late')
      await order.isTold('SUCCESS')
    },
  ),

  'report-first': scenario(
    'The report comes first, and the customer later.',
    'Handle the order by the report, and show the customer that it is paid.',
    async (stage) => {
      const order = await paidOrder(stage)
      await order.comeBack()
      await order.isTold('SUCCESS')
    },
  ),
  'return-first': scenario(
    'The customer comes back first, and the report comes later.',
    'Show the customer a page, and call the order paid once the report is there.',
    async (stage) => {
      const order = await stage.order()
      const held = Promise.withResolvers<undefined>()
      order.network('Reports are held up', (report) => held.promise.then(() => order.deliver(report)))
      await order.act('pay')
      await order.comeBack()
      held.resolve(undefined)
      await order.isTold('SUCCESS')
    },
  ),
  'never-returns': scenario(
    'The customer pays, and never comes back.',
    'Handle the order by the report alone.',
    async (stage) => void (await paidOrder(stage)),
  ),
  'unpaid-return': scenario(
    'The customer opens the return address without having paid.',
    NO_PROOF,
    async (stage) => {
      const order = await stage.order()
      const { attributes } = await order.job()
      await stage.shop.open('The customer opens the return address', attributes.returnUrl)
      await order.isUnpaid()
    },
  ),
  'forged-return': scenario(
    'The customer forges the return, as if the order were paid.',
    `${NO_PROOF} Verify the signature of a return that has one.`,
    async (stage) => {
      const order = await stage.order()
      const { attributes, orderId, orderNumber, paymentJob } = await order.job()
      const forged = new URL(attributes.returnUrl)
      const claims = { status: 'SUCCESS', paid: 'true', signature: 'ab'.repeat(64) }
      const names = { order_number: orderNumber, order_code: orderId, payment_job: paymentJob }
      for (const [name, value] of Object.entries({ ...names, ...claims }))
        forged.searchParams.set(name, value)
      await stage.shop.open('The customer opens a forged return', forged.href, 499)
      await order.isUnpaid()
    },
  ),

  'smallest-amount': pays('0.01', 'EUR'),
  'no-decimals': pays('1000', 'JPY'),
  'three-decimals': pays('1.234', 'KWD'),

  'partial-refund': scenario(
    'A part of the money goes back, and later another part.',
    'Call the order paid still. Take amountRefunded as it is: it is the total, not the newest refund.',
    async (stage) => {
      const order = await paidOrder(stage)
      await order.act('refund', { amount: '5.00' })
      await order.isTold('SUCCESS, 5.00 refunded')
      await order.act('refund', { amount: '2.50' })
      await order.isTold('SUCCESS, 7.50 refunded')
    },
  ),
  'refund-fails': scenario(
    'A refund is done, and fails after all.',
    'Call the order paid, and nothing of it refunded: amountRefunded is missing then.',
    async (stage) => {
      const order = await paidOrder(stage)
      await order.act('refund', { amount: '5.00' })
      await order.isTold('SUCCESS, 5.00 refunded')
      await order.act('fail-refund')
      await order.isTold('SUCCESS', 2)
    },
  ),
  chargeback: scenario(
    "The customer's bank takes the money back, and gives it again.",
    'Take both reports. The order is paid once the chargeback is reversed.',
    async (stage) => {
      const order = await paidOrder(stage)
      await order.act('chargeback')
      await order.isTold('SUCCESS, 12.50 charged back')
      await order.act('reverse-chargeback')
      await order.isTold('SUCCESS', 2)
    },
  ),
}
