import type { PaymentJob } from '../../contract/payment-job.ts'
import type { ReportFrame } from '../../contract/report-frames.ts'
import { anotherSecret, asIfPaid, signedHeaders, withUnknownMembers } from './forge.ts'
import { isTaken } from './judge.ts'
import { LOST, type Pass, answered } from './report-network.ts'
import { type Play, type Scenarios, scenario } from './scenario.ts'
import { ShopFault } from './shop.ts'
import type { Stage } from './stage.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** A payment whose receiver is down at first. `repeat` has the report sent again, after so long. */
function downFor(seconds: number, pass: Pass, repeat: 'by itself' | 'on demand' = 'by itself'): Play {
  return async (stage) => {
    const order = await stage.order()
    order.network('The receiver does not work', pass)
    await order.act('pay')
    await order.becomes('SUCCESS')
    await order.letPass(seconds)
    order.network('The receiver works again', order.deliver)
    await (repeat === 'by itself' ? order.letPass(DAY) : order.resendReport())
    await order.isTold('SUCCESS')
  }
}

const AGAIN = 'Take the report that the hub sends again.'
const ONCE = 'Answer each with 2xx, and handle the order once.'
const REFUSE =
  'Refuse it with 400 or 401: verify the signature by your own secret over the raw body, before you read it.'

/** Sends a report that says SUCCESS of a job that nobody has paid. Gives what the shop answered. */
async function forge(
  stage: Stage,
  headersOf: (body: string, id: string, job: PaymentJob) => Record<string, string>,
) {
  const order = await stage.order()
  const job = await order.job()
  const body = JSON.stringify(asIfPaid(job))
  const headers = headersOf(body, `msg_${job.paymentJob}_9`, job)
  const { reportUrl } = job.attributes
  const answer = await stage.shop.report('A report that is not good comes: SUCCESS', {
    headers,
    body,
    reportUrl,
  })
  await order.isUnpaid()
  return answer
}

function refusesForged(...[headersOf]: [Parameters<typeof forge>[1]]): Play {
  return async (stage) => {
    const answer = await forge(stage, headersOf)
    if (isTaken(answer)) throw new ShopFault(`answered a forged report with ${answer}`)
  }
}

/** How reports come over a bad network, and from others than the hub. */
export const REPORTS: Scenarios = {
  'three-times': scenario('The same report comes three times.', ONCE, async (stage) => {
    const order = await stage.order()
    order.network('Each report comes three times', async (report) => {
      await order.deliver(report)
      await order.deliver(report)
      return order.deliver(report)
    })
    await order.act('pay')
    await order.isTold('SUCCESS', 3)
  }),
  'out-of-order': scenario(
    'The payment expires and is paid then, and the report of the expiry comes last.',
    'Compare lastUpdate, or read the job: the newer state counts, not the newer report.',
    async (stage) => {
      const order = await stage.order()
      const held: ReportFrame[] = []
      order.network('A report is held up on its way', (report) => {
        held.push(report)
        return answered(200)(report)
      })
      await order.act('expire')
      await order.becomes('EXPIRED')
      await order.letPass(1)
      order.network('The next report passes it', order.deliver)
      await order.act('pay-late')
      await order.isTold('SUCCESS')
      for (const report of held) await order.deliver(report)
      await order.isTold('SUCCESS')
    },
  ),
  'hour-late': scenario('The report comes an hour late.', AGAIN, downFor(HOUR, LOST)),
  'down-for-a-day': scenario('The receiver is down for a day.', AGAIN, downFor(DAY, LOST)),
  'given-up': scenario(
    'The receiver is down until the hub gives the report up. Then it is asked for again.',
    AGAIN,
    downFor(5 * DAY, LOST, 'on demand'),
  ),
  'answers-500': scenario('The receiver answers 500 for an hour.', AGAIN, downFor(HOUR, answered(500))),
  'answers-slowly': scenario(
    'The answer of the receiver comes too late, so the hub sends the report again.',
    ONCE,
    async (stage) => {
      const order = await stage.order()
      order.network('The answer comes too late', async (report) => {
        await order.deliver(report)
        return { type: 'answer', delivery: report.delivery, failed: 'no answer in time' }
      })
      await order.act('pay')
      await order.isTold('SUCCESS')
      order.network('Answers come in time', order.deliver)
      await order.letPass(HOUR)
      await order.isTold('SUCCESS', 2)
    },
  ),
  'unknown-members': scenario(
    'A report has members and an action that the shop does not know.',
    'Ignore what you do not know: later releases add members.',
    async (stage) => {
      const order = await stage.order()
      order.network('Reports are as a later release sends them', (report) => {
        const body = withUnknownMembers(report.body)
        const id = report.headers['webhook-id'] ?? ''
        return order.deliver({
          ...report,
          body,
          headers: signedHeaders(stage.world.secret, id, Date.now(), body),
        })
      })
      await order.act('pay')
      await order.isTold('SUCCESS')
    },
    'secret',
  ),

  unsigned: scenario(
    'Somebody sends a report without a signature.',
    REFUSE,
    refusesForged(() => ({ 'content-type': 'application/json' })),
  ),
  tampered: scenario(
    'Somebody changes a report on its way: the signature is of another body.',
    REFUSE,
    (stage) =>
      refusesForged((_, id, job) => signedHeaders(stage.world.secret, id, Date.now(), JSON.stringify(job)))(
        stage,
      ),
    'secret',
  ),
  'another-shop': scenario(
    "A report has the signature of another shop's secret.",
    REFUSE,
    refusesForged((body, id) => signedHeaders(anotherSecret(), id, Date.now(), body)),
  ),
  stale: scenario(
    'Somebody sends a signed report of three hours ago once more.',
    'Verify webhook-signature, and refuse a webhook-timestamp of more than five minutes ago. Or read the job.',
    async (stage) => {
      const then = Date.now() - 3 * HOUR * 1000
      // A shop that reads the job at each report may answer 2xx: it loses nothing.
      await forge(stage, (body, id) => signedHeaders(stage.world.secret, id, then, body))
    },
    'secret',
  ),
}
