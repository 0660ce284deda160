import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { mollieProblem } from '../support/psps/mollie-payment.ts'
import { payLate } from './customer.ts'
import { moveReserved } from './money.ts'
import { requestInstruction, releaseJob } from './shop-instructions.ts'
import type { Draw, Fault } from './why-faults.ts'
import { BROKEN, type Play } from './why-play.ts'

/** Makes Mollie fail requests whose path ends with `path`. */
function failsAt(play: Play, path: string, answer: () => Response): void {
  play.psp((request) => (request.method === 'POST' && request.url.endsWith(path) ? answer() : null))
}

function notNow(): Response {
  return mollieProblem(422, 'Unprocessable Entity', 'Not now')
}

/** The customer pays an order that the shop captures manually. */
async function reserves(play: Play, draw: Draw): Promise<void> {
  await play.order({ manual: true })
  await play.customer('pays')
  await (draw.of(true, false) ? play.comesBack() : play.isNotified())
  await play.pass(draw.from(MINUTE, HOUR))
}

function captures(play: Play, amount: number | null = null): Promise<void> {
  return requestInstruction(play.world, 'capture', play.job(), { amount, keyed: true, times: 1 })
}

/** Faults and states of reserved money. */
export const RESERVED: Readonly<Record<string, Fault>> = {
  'the money is reserved, and the PSP refuses to capture': async (play, draw, why) => {
    await play.order()
    failsAt(play, '/captures', notNow)
    await play.customer('has the money reserved')
    await play.pass(draw.from(11 * MINUTE, HOUR))
    await why('capture-refused')
    play.psp(null)
    await play.pass(8 * HOUR)
    await why('paid')
  },
  'the money is reserved, and no capture is answered': async (play, draw, why) => {
    await play.order()
    play.psp((request) => (request.url.includes('/captures') ? BROKEN(request) : null))
    await play.customer('has the money reserved')
    // Later the PSP's list shows that it never got one.
    await play.pass(draw.from(12 * MINUTE, 18 * MINUTE))
    await why('capture-pending')
  },
  'the shop does not capture': async (play, draw, why) => {
    await reserves(play, draw)
    await why('capture-awaited')
    for (let days = 0; days < 6; days++) await play.skip(DAY)
    await why('capture-ends-soon')
    await play.skip(DAY)
    await play.pass(HOUR)
    await why('not-captured-in-time')
  },
  'the PSP takes its time to capture': async (play, draw, why) => {
    play.world.psp.setManner({ captures: 'later', releases: 'at once' })
    await reserves(play, draw)
    await captures(play, draw.of(null, 500))
    await play.pass(draw.from(MINUTE, HOUR))
    await why('capture-pending')
  },
  'the PSP fails a capture': async (play, draw, why) => {
    play.world.psp.setManner({ captures: 'in vain', releases: 'at once' })
    await reserves(play, draw)
    await captures(play)
    await play.pass(DAY)
    await why('capture-failed')
  },
  'the shop captures': async (play, draw, why) => {
    await reserves(play, draw)
    await captures(play, 500)
    await play.pass(draw.from(MINUTE, HOUR))
    await why('capture-awaited')
    await captures(play)
    await play.pass(draw.from(MINUTE, HOUR))
    await why('paid')
  },
  'the shop releases': async (play, draw, why) => {
    play.world.psp.setManner({ captures: 'at once', releases: 'later' })
    await reserves(play, draw)
    await releaseJob(play.world, play.job(), draw.of(true, false))
    await play.pass(draw.from(MINUTE, HOUR))
    await why('release-pending')
    await play.pass(DAY)
    await why('released')
  },
  'money is reserved after the end, and the PSP does not let go': async (play, draw, why) => {
    await play.order({ manual: true })
    await play.customer('leaves')
    for (let days = 0; days < 4; days++) await play.skip(DAY)
    failsAt(play, '/release-authorization', notNow)
    payLate(play.world, play.job())
    await play.isNotified()
    await play.pass(draw.from(1, HOUR))
    await why('still-reserved')
  },
  'a capture fails after all': async (play, draw, why) => {
    await reserves(play, draw)
    await captures(play)
    await play.pass(draw.from(MINUTE, HOUR))
    await moveReserved(play.world, play.job(), 'fails a capture', true)
    await play.pass(draw.from(MINUTE, HOUR))
    await why('capture-bounced')
  },
}
