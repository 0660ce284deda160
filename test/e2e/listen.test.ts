import { type Socket, connect, createServer } from 'node:net'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { freePort, listenAnywhere } from '../../src/programs/free-port.ts'
import { choose, next, openPos } from './clients.ts'
import { startHubProgram } from './hub-program.ts'
import { openReceiver } from './signed-receiver.ts'

const hub = inject('hub')

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

function newPos(settings: object = {}) {
  return openPos(hub, settings)
}
type TestPos = Awaited<ReturnType<typeof newPos>>

async function openShop(
  pos: TestPos,
  ...answer: Parameters<typeof openReceiver> extends [string, ...infer Rest] ? Rest : never
) {
  const shop = await openReceiver(pos.signingSecret, ...answer)
  endings.push(shop.stop)
  return shop
}

/** A connection to the hub that can be cut. Later connections work again. */
async function openWay() {
  const sockets: Socket[] = []
  const server = createServer((here) => {
    const there = connect(Number(new URL(hub.url).port), '127.0.0.1')
    here.pipe(there).pipe(here)
    sockets.push(here, there)
    for (const socket of [here, there]) socket.on('error', () => {})
  })
  const cut = () => sockets.splice(0).forEach((socket) => socket.destroy())
  const port = await listenAnywhere(server)
  endings.push(async () => {
    cut()
    server.close()
  })
  return { url: `http://localhost:${port}`, cut }
}

type Row = { paymentJob: string; try: number; outcome: string | null; state: string; webhookId: string }

/** Starts `hub listen`, and waits until it is connected. */
async function startListen(pos: TestPos, ...words: string[]) {
  return startListenAt(hub.url, pos, ...words)
}

async function startListenAt(url: string, pos: TestPos, ...words: string[]) {
  const program = startHubProgram(['listen', ...words], { HUB_URL: url, HUB_API_KEY: pos.apiKey })
  endings.push(() => program.stop('SIGKILL'))
  await vi.waitFor(
    () => {
      if (![...program.out(), program.err()].some((line) => line.includes('Ctrl-C')))
        throw new Error(program.err())
    },
    { timeout: 30_000 },
  )
  const rows = () =>
    program
      .out()
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Row)
  const until = (many: number) =>
    vi.waitFor(
      () => {
        if (rows().length < many)
          throw new Error(`${rows().length} of ${many}: ${program.out().join('\n')}${program.err()}`)
        return rows()
      },
      { timeout: 60_000, interval: 100 },
    )
  return { ...program, until }
}

async function pay(pos: TestPos): Promise<string> {
  // Nothing listens at that address, so forwarding to it fails.
  const job = await pos.create(`http://localhost:${await freePort()}`)
  await next(await choose(job.payUrl, 'paid'))
  return job.paymentJob
}

describe('npx hub listen', () => {
  it('forwards reports with the signatures of production, shows them, and the job records the answer', async () => {
    const pos = await newPos()
    const shop = await openShop(pos)
    const program = await startListen(pos, '--forward', shop.url)
    const job = await pay(pos)
    await vi.waitFor(() => expect(program.out().join('\n')).toContain('SUCCESS'), { timeout: 20_000 })
    expect(shop.received).toMatchObject([{ job, status: 'SUCCESS' }])
    expect(shop.refused).toEqual([])
    const [, head = '', , row = ''] = program.out()
    expect(head).toMatch(/^time +order +status +paid +try +answer +ms +webhook-id$/)
    expect(row).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d +A-1 +SUCCESS +EUR 12\\.50 +1 +200 +\\d+ +msg_${job}_2$`),
    )
    expect(await pos.reportsOf(job)).toMatchObject([{ state: 'delivered', attempts: [{ outcome: '200' }] }])
    expect([await program.stop('SIGINT'), program.err()]).toEqual([0, ''])
    expect(program.out().join('\n')).not.toContain(pos.apiKey)
  })

  it('--json prints one line of JSON for each try, with what the receiver answered', async () => {
    const pos = await newPos()
    const shop = await openShop(pos, (count) => new Response(null, { status: count === 1 ? 500 : 204 }))
    const program = await startListen(pos, '--forward', shop.url, '--json')
    const job = await pay(pos)
    expect(await program.until(2)).toMatchObject([
      { paymentJob: job, try: 1, outcome: '500', state: 'due', status: 'SUCCESS', amountPaid: '12.50' },
      { paymentJob: job, try: 2, outcome: '204', state: 'delivered', nextTry: null },
    ])
    expect(shop.refused).toEqual([])
  })

  it('that is killed in the middle of a delivery loses nothing: the report comes again, and is delivered once', async () => {
    const pos = await newPos()
    let first: (() => void) | undefined
    const arrived = new Promise<void>((resolve) => (first = resolve))
    const shop = await openShop(pos, async (count) => {
      if (count === 1) {
        first?.()
        await new Promise((resolve) => setTimeout(resolve, 30_000).unref())
      }
      return new Response('ok')
    })
    const killed = await startListen(pos, '--forward', shop.url, '--json')
    const job = await pay(pos)
    await arrived
    await killed.stop('SIGKILL')
    const again = await startListen(pos, '--forward', shop.url, '--json')
    const rows = await vi.waitFor(
      async () => {
        const found = await again.until(1)
        expect(found.at(-1)).toMatchObject({ state: 'delivered' })
        return found
      },
      { timeout: 90_000 },
    )
    expect(rows).toMatchObject([{ paymentJob: job, outcome: '200', state: 'delivered' }])
    const [report, ...others] = await pos.reportsOf(job)
    expect(others).toEqual([])
    const outcomes = report?.attempts.map(({ outcome }) => outcome) ?? []
    expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(1)
    expect(outcomes[0]).toBe('no connection')
  })

  it('--drop loses the first tries of each report, and --double brings each twice', async () => {
    const pos = await newPos()
    const shop = await openShop(pos)
    const program = await startListen(pos, '--forward', shop.url, '--json', '--drop', '1', '--double')
    const job = await pay(pos)
    expect(await program.until(2)).toMatchObject([
      { paymentJob: job, try: 1, outcome: 'no answer in time', state: 'due' },
      { paymentJob: job, try: 2, outcome: '200', state: 'delivered' },
    ])
    await vi.waitFor(() => expect(shop.received).toHaveLength(2), { timeout: 20_000 })
    expect(new Set(shop.received.map(({ id }) => id)).size).toBe(1)
  })

  it('--reorder brings a report after the one that follows it, and --delay brings all of them later', async () => {
    const pos = await newPos()
    const shop = await openShop(pos)
    await startListen(pos, '--forward', shop.url, '--json', '--reorder', '--delay', '100ms')
    const [first, second] = [await pay(pos), await pay(pos)]
    await vi.waitFor(() => expect(shop.received).toHaveLength(2), { timeout: 20_000 })
    expect(shop.received.map(({ job }) => job)).toEqual([second, first])
  })

  it('connects again when it was cut off, as by a deploy, and gets the reports from then on', async () => {
    const [pos, way] = [await newPos(), await openWay()]
    const shop = await openShop(pos)
    const program = await startListenAt(way.url, pos, '--forward', shop.url, '--json')
    way.cut()
    await vi.waitFor(() => expect(program.err()).toContain('Connected again.'), { timeout: 60_000 })
    expect(program.err()).toContain('The hub has gone. Connecting again')
    const job = await pay(pos)
    expect(await program.until(1)).toMatchObject([{ paymentJob: job, outcome: '200', state: 'delivered' }])
  })

  it('says which key it wants, and refuses a live one by name', async () => {
    const live = await newPos({ mode: 'live' })
    const run = async (key: string | undefined, url = hub.url) => {
      const program = startHubProgram(['listen'], {
        HUB_URL: url,
        ...(key === undefined ? {} : { HUB_API_KEY: key }),
      })
      return { code: await program.ended, out: program.out(), err: program.err() }
    }
    const [none, short, unknown, ofLive, noHub] = await Promise.all([
      run(undefined),
      run('abc'),
      run('Zz'.repeat(80)),
      run(live.apiKey),
      run('Zz'.repeat(80), `http://localhost:${await freePort()}`),
    ])
    expect(none).toMatchObject({
      code: 2,
      out: [],
      err: expect.stringMatching(/^Set HUB_API_KEY .*\n$/) as string,
    })
    expect(short).toMatchObject({ code: 2, err: expect.stringContaining('160 letters and digits') as string })
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('401') as string })
    expect(ofLive).toMatchObject({
      code: 1,
      out: [],
      err: expect.stringContaining('live point of sale') as string,
    })
    expect(ofLive.err).not.toContain(live.apiKey)
    expect(noHub).toMatchObject({ code: 1, err: expect.stringContaining('No hub answers') as string })
  })
})
