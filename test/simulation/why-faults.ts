import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { payLate } from './customer.ts'
import { consume } from './queue.ts'
import { consumeReports } from '../../src/reports/report-delivery.ts'
import { deliverReport } from './messages.ts'
import { goBack, moveOn } from './money.ts'
import { requestInstruction, cancelJob } from './shop-instructions.ts'
import { RESERVED } from './why-reserved.ts'
import { BROKEN, type Play, UNREACHABLE, WRONG_KEY, answers, atLooks, hangs } from './why-play.ts'

/** Random choices: one of several values, or a whole number in a range. */
export type Draw = {
  of: <Value>(...values: readonly [Value, ...Value[]]) => Value
  from: (least: number, most: number) => number
}

/**
 * Asks the hub for the cause and expects this one; in half of the schedules, after the object left memory.
 */
type Why = Play['why']

/** Injects one known fault into one payment, and asks for the cause while the fault lasts and after it. */
export type Fault = (play: Play, draw: Draw, why: Why) => Promise<void>

async function pays(play: Play, draw: Draw): Promise<void> {
  await play.order()
  await play.pass(draw.from(0, 20_000))
  await play.customer('pays')
  await (draw.of(true, false) ? play.comesBack() : play.isNotified())
}

/** Silences the PSP from now on. */
function silence({ world }: Play, draw: Draw): void {
  world.psp.setFault(draw.of('answers 500', 'cannot be reached'), Infinity, 'mollie')
}

/** A receiver that fails each report for a while, and then accepts it. */
function receiver(fault: Parameters<Play['shop']>[0], cause: Parameters<Why>[0]): Fault {
  return async (play, draw, why) => {
    play.shop(fault)
    await pays(play, draw)
    await play.pass(draw.from(1, 2000))
    await why(cause)
    await play.pass(draw.from(MINUTE, 2 * HOUR))
    await why(cause)
    play.shop(null)
    await play.pass(6 * HOUR)
    await why('paid')
  }
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  ...RESERVED,
  'none: the customer pays': async (play, draw, why) => {
    await pays(play, draw)
    await why('report-due')
    await play.pass(draw.from(1, HOUR))
    await why('paid')
  },
  'the PSP is down at the create': async (play, draw, why) => {
    silence(play, draw)
    await play.order()
    await why('psp-silent-at-announcement')
    await play.pass(draw.from(1, 3 * HOUR))
    await why('psp-silent-at-announcement')
    play.world.psp.clearFaults()
    await play.pass(2 * HOUR)
    await why('customer-not-back')
  },
  'the PSP is down for a day': async (play, draw, why) => {
    silence(play, draw)
    await play.order()
    for (let parts = 0; parts < 4; parts++) await play.skip(8 * HOUR)
    await why('expired-unannounced')
  },
  'the PSP refuses the order': async (play, draw, why) => {
    play.world.psp.setFault('refuses new payments', 1, 'mollie')
    await play.order()
    await play.pass(draw.from(1, HOUR))
    await why('psp-refused-order')
  },
  'the PSP refuses the key at the create': async (play, draw, why) => {
    play.psp(WRONG_KEY)
    await play.order()
    await why('psp-refuses-credentials')
    await play.pass(draw.from(1, HOUR))
    await why('psp-refuses-credentials')
    play.psp(null)
    await play.pass(2 * HOUR)
    await why('customer-not-back')
  },
  'the PSP refuses the key at pulls': async (play, draw, why) => {
    await play.order()
    play.psp(atLooks(WRONG_KEY))
    await play.customer(draw.of('pays', 'leaves'))
    await play.pass(draw.from(11 * MINUTE, HOUR))
    await why('psp-refuses-credentials')
  },
  'the PSP never answers pulls': async (play, draw, why) => {
    await play.order()
    silence(play, draw)
    await play.customer(draw.of('pays', 'leaves'))
    if (draw.of(true, false)) await play.comesBack()
    await play.pass(draw.from(11 * MINUTE, HOUR))
    await why('psp-silent-at-pulls')
    // The hub gives up only after several questions went out: its own outage ends no job.
    for (let asked = 0; asked < 14; asked++) await play.skip(DAY)
    await why('expired-unconfirmed')
  },
  'the PSP stops answering pulls, and answers again': async (play, draw, why) => {
    await play.order()
    await play.pass(draw.from(2 * MINUTE, 9 * MINUTE))
    silence(play, draw)
    await play.pass(2 * HOUR)
    await why('psp-silent-at-pulls')
    play.world.psp.clearFaults()
    await play.pass(5 * HOUR)
    await why('customer-not-back')
  },
  'the PSP does not know the payment': async (play, draw, why) => {
    await play.order()
    play.psp(atLooks(answers(404, '{"status":404,"title":"Not Found","detail":"No payment exists"}')))
    await play.pass(draw.from(2 * MINUTE, HOUR))
    await why('psp-knows-no-payment')
  },
  'the receiver answers with an error': (play, draw, why) =>
    receiver(answers(draw.of(500, 503, 404, 401, 422)), 'receiver-answers-error')(play, draw, why),
  'the receiver redirects': receiver(answers(308, null), 'receiver-answers-error'),
  'the receiver hangs': receiver(hangs, 'receiver-too-slow'),
  'the receiver is not reached': receiver(UNREACHABLE, 'receiver-unreachable'),
  'the receiver wants no more': async (play, draw, why) => {
    play.shop(answers(410))
    await pays(play, draw)
    await play.pass(draw.from(1, HOUR))
    await why('report-unwanted')
  },
  'the receiver is down for four days': async (play, draw, why) => {
    play.shop(answers(draw.of(500, 503)))
    await pays(play, draw)
    // A daily pause varies by a tenth.
    for (let tries = 0; tries < 11; tries++) await play.skip(27 * HOUR)
    await why('report-given-up')
  },
  'the queue loses the report': async (play, draw, why) => {
    await pays(play, draw)
    for (let lost = draw.from(1, 3); lost > 0; lost--) {
      await deliverReport(play.world, 0, 'lost')
      await play.pass(1)
      await why('report-due')
      await play.passWithoutQueue(45_000)
      await why('report-due')
    }
    await play.pass(HOUR)
    await why('paid')
  },
  'the hub itself cannot send the report': async (play, draw, why) => {
    await pays(play, draw)
    const { reports } = play.world.platform
    const message = reports.take(0, false)
    if (!message) throw new Error('there is no report to send')
    play.world.platform.setObjectFault('overloaded', 1)
    await consume(play.world.env, reports, [{ ...message, attempts: 11 }], consumeReports, {
      tries: 10,
      dead: () => play.dies(message.body),
    })
    await why('report-due')
    await play.pass(HOUR)
    await why('paid')
  },
  'the customer cancels': async (play, draw, why) => {
    await play.order()
    await play.customer('cancels')
    await (draw.of(true, false) ? play.comesBack() : play.isNotified())
    await play.pass(draw.from(1, HOUR))
    await why('cancelled-by-customer')
  },
  'the payment fails': async (play, draw, why) => {
    await play.order()
    await play.customer('fails')
    await (draw.of(true, false) ? play.comesBack() : play.isNotified())
    await play.pass(draw.from(1, HOUR))
    await why('payment-failed')
  },
  'the customer leaves': async (play, draw, why) => {
    await play.order()
    await play.customer('leaves')
    await play.pass(draw.from(1, HOUR))
    await why('customer-not-back')
    for (let days = 0; days < 3; days++) await play.skip(DAY)
    await why('expired')
  },
  'the customer comes back without having paid': async (play, draw, why) => {
    await play.order()
    await play.customer('leaves')
    await play.comesBack()
    await play.pass(draw.from(1, HOUR))
    await why('customer-came-back')
  },
  'the customer pays slowly': async (play, draw, why) => {
    await play.order({ slow: true })
    await play.customer('pays slowly', 3)
    await play.comesBack()
    await play.pass(draw.from(1, DAY))
    await why('money-underway')
    await moveOn(play.world, play.job(), 'arrives', true)
    await play.pass(1)
    await why('paid')
  },
  'the customer pays late': async (play, draw, why) => {
    await play.order({ slow: true })
    await play.customer('leaves')
    for (let days = 0; days < 4; days++) await play.skip(DAY)
    payLate(play.world, play.job())
    await play.isNotified()
    await play.pass(draw.from(1, HOUR))
    await why('late-accepted')
  },
  'the shop cancels': async (play, draw, why) => {
    await play.order()
    await cancelJob(play.world, play.job(), false)
    await play.pass(draw.from(1, HOUR))
    await why('cancelled-by-shop')
  },
  'an operator cancels': async (play, draw, why) => {
    if (draw.of(true, false)) play.psp(BROKEN)
    await play.order()
    play.psp(null)
    play.world.traces.mayBeCancelled.add(play.job())
    await play.ask('/cancel', 'POST')
    await play.pass(draw.from(1, HOUR))
    await why('cancelled-by-operator')
  },
  'money is charged back': async (play, draw, why) => {
    await pays(play, draw)
    await play.pass(draw.from(1, HOUR))
    await goBack(play.world, play.job(), {
      how: 'charged back',
      part: draw.from(1, 1250),
      notifies: true,
      soon: false,
    })
    await play.pass(HOUR)
    await why('charged-back')
  },
  'the shop gives money back': async (play, draw, why) => {
    await pays(play, draw)
    await play.pass(draw.from(1, HOUR))
    await requestInstruction(play.world, 'refund', play.job(), { amount: 500, keyed: true, times: 1 })
    await play.pass(draw.from(1, HOUR))
    await why('refund-pending')
    for (let days = 0; days < 5; days++) await play.skip(DAY)
    await why('refunded')
  },
}
