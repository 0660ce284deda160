import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Pos, makePos } from '../support/hub.ts'
import { answered, listen } from '../support/listener.ts'
import { receiver } from '../support/receiver.ts'
import { paidJob, untilTried } from '../support/reported.ts'

let shop: ReturnType<typeof receiver>
let answer: () => Response | Promise<Response>
beforeEach(() => {
  answer = () => new Response('ok')
  shop = receiver(() => answer())
})
afterEach(() => shop.stop())

/** How many listeners the object of a point of sale has. */
function listenersOf(pos: Pos): Promise<number> {
  return runInDurableObject(
    env.REPORT_LISTENER.getByName(pos.id),
    (_, state) => state.getWebSockets('listener').length,
  )
}

function untilListeners(pos: Pos, count: number): Promise<void> {
  return vi.waitFor(async () => expect(await listenersOf(pos)).toBe(count), 10_000)
}

describe('a listener that joins and leaves during a try', () => {
  it('takes nothing from those that watch a report on its way to report_url: they see the result', async () => {
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
    expect(await untilTried(id)).toMatchObject({ attempts: [{ outcome: '500' }] })
    const [result] = await watcher.until('result')
    expect(result).toMatchObject({ delivery: report?.delivery, outcome: '500', state: 'waiting' })
  })

  it('takes nothing from another one that answers: the try goes on, and its answer counts', async () => {
    const pos = await makePos()
    const staying = await listen(pos.apiKey)
    const leaving = await listen(pos.apiKey)
    const id = await paidJob(pos)
    const [{ delivery } = { delivery: '' }] = await staying.until('report')
    leaving.close()
    await untilListeners(pos, 1)
    staying.send(JSON.stringify({ type: 'answer', delivery, status: 201 }))
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', attempts: [{ outcome: '201' }] })
  })

  it('is not waited for when its connection breaks', async () => {
    const pos = await makePos()
    const listener = await listen(pos.apiKey)
    const id = await paidJob(pos)
    await listener.until('report')
    // As the platform tells of a connection that broke: the socket itself may still look open.
    await runInDurableObject(env.REPORT_LISTENER.getByName(pos.id), (object, state) => {
      const [broken] = state.getWebSockets('listener')
      if (broken) object.webSocketError(broken)
    })
    expect(await untilTried(id)).toMatchObject({ state: 'waiting', attempts: [{ outcome: 'no connection' }] })
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
