import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Pos, makePos } from '../support/hub/hub.ts'
import { stored } from '../support/jobs/job.ts'
import { answered, listen } from '../support/shops/listener.ts'
import { receiver } from '../support/shops/receiver.ts'
import { paidJob, untilTried } from '../support/jobs/reported.ts'

let shop: ReturnType<typeof receiver>
let answer: () => Response | Promise<Response>
beforeEach(() => {
  answer = () => new Response('ok')
  shop = receiver(() => answer())
})

/** Counts the listeners at the object of a point of sale. */
function listenersOf(pos: Pos): Promise<number> {
  return runInDurableObject(
    env.REPORT_LISTENER.getByName(pos.id),
    (_, state) => state.getWebSockets('listener').length,
  )
}

function untilListeners(pos: Pos, count: number): Promise<void> {
  return vi.waitFor(async () => expect(await listenersOf(pos)).toBe(count), 10_000)
}

function declining({ delivery }: { delivery: string }) {
  return { type: 'declined', delivery }
}
function say(delivery: string, said: object) {
  return JSON.stringify({ type: 'answer', delivery, ...said })
}

describe('a listener that declines a report', () => {
  it('leaves it to report_url, at once, if no other listener answers', async () => {
    const pos = await makePos()
    const watcher = await listen(pos.apiKey, { as: 'watches' })
    const tab = await listen(pos.apiKey, { answering: declining })
    const id = await paidJob(pos)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', history: [{ outcome: '200' }] })
    const [report] = await tab.until('report')
    expect(shop.of(id)).toMatchObject([{ body: report?.body }])
    for (const { until } of [tab, watcher])
      expect((await until('result'))[0]).toMatchObject({ outcome: '200', state: 'delivered' })
  })

  it('leaves it to another one: the first that answers counts, and report_url gets nothing', async () => {
    const pos = await makePos()
    const tab = await listen(pos.apiKey, { answering: declining })
    const program = await listen(pos.apiKey)
    const id = await paidJob(pos)
    const [{ delivery } = { delivery: '' }] = await program.until('report')
    await tab.until('report')
    // A repetition from the same one changes nothing.
    tab.send(JSON.stringify({ type: 'declined', delivery }))
    program.send(say(delivery, { status: 201 }))
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', history: [{ outcome: '201' }] })
    expect(shop.of(id)).toEqual([])
  })

  it('is the last of several: only then does the report go to report_url', async () => {
    const pos = await makePos()
    const one = await listen(pos.apiKey, { answering: declining })
    const other = await listen(pos.apiKey)
    const id = await paidJob(pos)
    const [{ delivery } = { delivery: '' }] = await other.until('report')
    await one.until('report')
    expect((await stored(id)).report?.history).toEqual([])
    other.send(JSON.stringify({ type: 'declined', delivery }))
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', history: [{ outcome: '200' }] })
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
    expect(await untilTried(id)).toMatchObject({ state: 'due', history: [{ outcome: 'no connection' }] })
  })

  it('decides nothing if it only watches', async () => {
    const pos = await makePos()
    await listen(pos.apiKey, { as: 'watches', answering: declining })
    const program = await listen(pos.apiKey)
    const id = await paidJob(pos)
    const [{ delivery } = { delivery: '' }] = await program.until('report')
    program.send(say(delivery, { status: 201 }))
    expect(await untilTried(id)).toMatchObject({ history: [{ outcome: '201' }] })
    expect(shop.of(id)).toEqual([])
  })
})

describe('a listener that joins and leaves during a try', () => {
  it('does not disturb those that watch a report on its way to report_url: they see the result', async () => {
    const pos = await makePos()
    const mayAnswer = Promise.withResolvers<void>()
    answer = async () => {
      await mayAnswer.promise
      return new Response('no', { status: 500 })
    }
    const watcher = await listen(pos.apiKey, { as: 'watches' })
    const id = await paidJob(pos)
    const [report] = await watcher.until('report')
    const passing = await listen(pos.apiKey)
    passing.close()
    await untilListeners(pos, 1)
    mayAnswer.resolve()
    expect(await untilTried(id)).toMatchObject({ history: [{ outcome: '500' }] })
    const [result] = await watcher.until('result')
    expect(result).toMatchObject({ delivery: report?.delivery, outcome: '500', state: 'due' })
  })

  it('does not disturb another one that answers: the try goes on, and that answer counts', async () => {
    const pos = await makePos()
    const staying = await listen(pos.apiKey)
    const leaving = await listen(pos.apiKey)
    const id = await paidJob(pos)
    const [{ delivery } = { delivery: '' }] = await staying.until('report')
    leaving.close()
    await untilListeners(pos, 1)
    staying.send(say(delivery, { status: 201 }))
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', history: [{ outcome: '201' }] })
  })

  it('does not make the hub wait when its connection breaks', async () => {
    const pos = await makePos()
    const listener = await listen(pos.apiKey)
    const id = await paidJob(pos)
    await listener.until('report')
    // As the platform reports a broken connection: the socket itself may still look open.
    await runInDurableObject(env.REPORT_LISTENER.getByName(pos.id), (object, state) => {
      const [broken] = state.getWebSockets('listener')
      if (broken) object.webSocketError(broken)
    })
    expect(await untilTried(id)).toMatchObject({ state: 'due', history: [{ outcome: 'no connection' }] })
  })
})

it('a try that is over leaves nothing open at the object', async () => {
  const pos = await makePos()
  const listener = await listen(pos.apiKey, { answering: answered(200) })
  await untilTried(await paidJob(pos))
  await listener.until('result')
  await vi.waitFor(() =>
    runInDurableObject(env.REPORT_LISTENER.getByName(pos.id), (_, state) => {
      expect(state.getWebSockets()).toHaveLength(1)
    }),
  )
})
