import { type Create, type Fault, RETRY_AFTER } from './hub-way.ts'
import { type Play, type Scenarios, scenario } from './scenario.ts'
import { ShopFault } from './shop.ts'

/** A create that goes wrong once on its way to the hub. `judge` looks at all that the shop sent. */
function fails(fault: Fault, judge: (creates: readonly Create[]) => void = onePayment): Play {
  return async (stage) => {
    const { way } = stage.world
    const before = way?.creates.length ?? 0
    stage.steps.note(`On the way to the hub: ${fault}`)
    way?.fail(fault)
    // A customer who gets an error goes to pay once more, for the same order.
    const order = await stage.order(undefined, 2)
    judge(way?.creates.slice(before) ?? [])
    await order.act('pay')
    await order.isTold('SUCCESS')
  }
}

function onePayment(creates: readonly Create[]): void {
  const jobs = new Set(creates.flatMap(({ job }) => job?.paymentJob ?? []))
  if (jobs.size > 1) throw new ShopFault(`made ${jobs.size} payments of one order`)
}

function waits([refused, again]: readonly Create[]): void {
  const waited = again && refused ? (again.at - refused.at) / 1000 : Infinity
  if (waited >= RETRY_AFTER) return
  throw new ShopFault(`asked again after ${waited.toFixed(1)} s, not after the ${RETRY_AFTER} of Retry-After`)
}

const WAIT = 'Wait as long as Retry-After says, and send the create again with the same key.'

/** What goes wrong between the shop's own client and the hub. */
export const CLIENT_FAULTS: Scenarios = {
  'answer-lost': scenario(
    'A create has no answer, though the hub made the payment.',
    'Send the create again with the same Idempotency-Key and body: there is one payment.',
    fails('the answer is lost'),
    'client',
  ),
  'token-expired': scenario(
    'The access token ends in the middle: a create is answered 401.',
    'Get a new token from the guardian, once, and send the create again.',
    fails('the token has expired'),
    'client',
  ),
  'too-many-requests': scenario(
    'The hub answers a create with 429 and Retry-After.',
    WAIT,
    fails('too many requests', waits),
    'client',
  ),
  unavailable: scenario(
    'The hub answers a create with 503 and Retry-After.',
    WAIT,
    fails('unavailable', waits),
    'client',
  ),
}
