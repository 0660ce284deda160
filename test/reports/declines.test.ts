import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makePos } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { listen } from '../support/listener.ts'
import { receiver } from '../support/receiver.ts'
import { paidJob, untilTried } from '../support/reported.ts'

let shop: ReturnType<typeof receiver>
beforeEach(() => {
  shop = receiver(() => new Response('ok', { status: 202 }))
})
afterEach(() => shop.stop())

function declining({ delivery }: { delivery: string }) {
  return { type: 'declined', delivery }
}
function say(delivery: string, said: object) {
  return JSON.stringify({ type: 'answer', delivery, ...said })
}

describe('a listener that declines a report', () => {
  it('leaves it to report_url, at once, where nobody else answers', async () => {
    const pos = await makePos()
    const watcher = await listen(pos.apiKey, { as: 'watches' })
    const tab = await listen(pos.apiKey, { answering: declining })
    const id = await paidJob(pos)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', attempts: [{ outcome: '202' }] })
    const [report] = await tab.until('report')
    expect(shop.of(id)).toMatchObject([{ body: report?.body }])
    for (const { until } of [tab, watcher])
      expect((await until('result'))[0]).toMatchObject({ outcome: '202', state: 'delivered' })
  })

  it('leaves it to another one: the first that answers counts, and report_url gets nothing', async () => {
    const pos = await makePos()
    const tab = await listen(pos.apiKey, { answering: declining })
    const program = await listen(pos.apiKey)
    const id = await paidJob(pos)
    const [{ delivery } = { delivery: '' }] = await program.until('report')
    await tab.until('report')
    // Once more from the same one changes nothing.
    tab.send(JSON.stringify({ type: 'declined', delivery }))
    program.send(say(delivery, { status: 201 }))
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', attempts: [{ outcome: '201' }] })
    expect(shop.of(id)).toEqual([])
  })

  it('is the last of several: only then does the report go to report_url', async () => {
    const pos = await makePos()
    const one = await listen(pos.apiKey, { answering: declining })
    const other = await listen(pos.apiKey)
    const id = await paidJob(pos)
    const [{ delivery } = { delivery: '' }] = await other.until('report')
    await one.until('report')
    expect((await stored(id)).reports[0]?.attempts).toEqual([])
    other.send(JSON.stringify({ type: 'declined', delivery }))
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', attempts: [{ outcome: '202' }] })
    expect(shop.of(id)).toHaveLength(1)
  })

  it('does not make the hub wait for one that has gone', async () => {
    const pos = await makePos()
    const tab = await listen(pos.apiKey, { answering: declining })
    const program = await listen(pos.apiKey)
    const id = await paidJob(pos)
    await program.until('report')
    await tab.until('report')
    program.close()
    expect(await untilTried(id)).toMatchObject({ state: 'waiting', attempts: [{ outcome: 'no connection' }] })
  })

  it('decides nothing where it only watches', async () => {
    const pos = await makePos()
    await listen(pos.apiKey, { as: 'watches', answering: declining })
    const program = await listen(pos.apiKey)
    const id = await paidJob(pos)
    const [{ delivery } = { delivery: '' }] = await program.until('report')
    program.send(say(delivery, { status: 201 }))
    expect(await untilTried(id)).toMatchObject({ attempts: [{ outcome: '201' }] })
    expect(shop.of(id)).toEqual([])
  })
})
