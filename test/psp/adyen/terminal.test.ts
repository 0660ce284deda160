import { afterEach, describe, expect, it, vi } from 'vitest'
import { adyen } from '../../../src/psp/adyen/adapter.ts'
import type { AnnounceAnswer, AskAnswer } from '../../../src/psp/answer.ts'
import type { Fetch, TerminalRequest, Terminals } from '../../../src/psp/port.ts'
import { AT_COUNTER, SHOP, TERMINALS, adyenFake } from '../../support/psps/adyen.ts'
import type { SentNotification } from '../../support/psps/fake-psp.ts'
import { withOwnTimers } from '../../support/time/own-timers.ts'
import { json, patience, paymentRequestOf } from '../scripted.ts'

const [COUNTER, OTHER_COUNTER] = TERMINALS
const FIRST: TerminalRequest = { id: COUNTER, isSent: false, mayStart: true }
const AGAIN = { ...FIRST, isSent: true }
const TOO_LATE = { ...AGAIN, mayStart: false }

/** An account with terminals, at a simulator of Adyen or in front of other answers. */
function counter(changes: object = {}, mode: 'live' | 'test' = 'live') {
  const fake = adyenFake()
  const asked: { url: string; headers: Headers; text: string }[] = []
  let answer: Fetch = fake.handle
  const fetch: Fetch = async (request) => {
    const { url, headers } = request
    asked.push({ url, headers, text: await request.clone().text() })
    return answer(request)
  }
  const credentials = { ...AT_COUNTER, ...changes }
  const psp = adyen.open({ mode, credentials, fetch })
  if (!psp.terminals) throw new Error('the account has no terminals')
  const terminals: Terminals = psp.terminals
  const job = crypto.randomUUID()
  const announce = (terminal: TerminalRequest = FIRST, order: object = {}): Promise<AnnounceAnswer> =>
    terminals.announce(paymentRequestOf(job, { ...order, terminal }), patience)
  const read = (sent: SentNotification) =>
    psp.readNotification({ job: null, headers: new Headers(sent.headers), body: sent.body, at: Date.now() })
  return {
    at: fake.terminals,
    psp,
    terminals,
    job,
    announce,
    read,
    asked,
    /** Makes Adyen answer like this from now on. */
    answers: (other: Fetch) => void (answer = other),
    /** A payment that the terminal has, and how to ask about it. */
    async begun(order: object = {}) {
      const took = await announce(FIRST, order)
      if (took.is !== 'announced') throw new Error(JSON.stringify(took))
      const { reference } = took
      const currency = 'currency' in order ? String(order.currency) : 'EUR'
      return {
        reference,
        ask: (): Promise<AskAnswer> => terminals.ask(reference, currency),
        stop: (): Promise<AskAnswer> => terminals.stop(reference, currency),
      }
    },
  }
}

const OPEN = { is: 'observed', status: 'PENDING', stage: { is: 'open' }, paid: 0 }
const DENIED = { is: 'unavailable', message: expect.stringMatching(/\w{3}/) as unknown }

afterEach(() => vi.useRealTimers())

describe('an account at Adyen', () => {
  it('drives no terminals until it names their region', () => {
    const { psp } = counter()
    expect(psp.terminals).toBeDefined()
    expect(adyen.open({ mode: 'live', credentials: SHOP, fetch: json(500, {}) }).terminals).toBeUndefined()
  })

  it.each([
    [
      'live',
      'eu',
      'https://device-api-live.adyen.com/v1/merchants/HubShopECOM/devices/V400m-123456789/async',
    ],
    [
      'live',
      'us',
      'https://device-api-live-us.adyen.com/v1/merchants/HubShopECOM/devices/V400m-123456789/async',
    ],
    [
      'test',
      'au',
      'https://device-api-test.adyen.com/v1/merchants/HubShopECOM/devices/V400m-123456789/async',
    ],
    ['live', 'apse old', 'https://terminal-api-live-apse.adyen.com/async'],
    ['test', 'eu old', 'https://terminal-api-test.adyen.com/async'],
  ] as const)(
    'in mode %s asks the terminals of region %s at their own address',
    async (mode, region, url) => {
      const { announce, asked } = counter({ terminalRegion: region }, mode)
      expect(await announce()).toMatchObject({ is: 'announced' })
      expect(asked.map((request) => request.url)).toEqual([url])
    },
  )

  it('uses the key of the terminals, if it has one', async () => {
    const { announce, asked } = counter({ terminalKey: 'AQE-terminals' })
    expect(await announce()).toMatchObject({ is: 'unavailable', accountRefused: true })
    expect(asked[0]?.headers.get('x-api-key')).toBe('AQE-terminals')
  })

  it.each(['eu', 'eu old'])('lists the connected terminals, in region %s', async (terminalRegion) => {
    const { at, terminals, answers } = counter({ terminalRegion })
    at.switch(OTHER_COUNTER, false)
    expect(await terminals.list()).toEqual({
      is: 'listed',
      terminals: [{ id: COUNTER, name: COUNTER, isOn: true }],
    })
    answers(json(403, { title: 'Forbidden', detail: 'No entitlement' }))
    expect(await terminals.list()).toMatchObject({
      is: 'unavailable',
      accountRefused: true,
      message: expect.stringContaining('No entitlement'),
    })
    answers(json(422, { title: 'Unprocessable', detail: 'No such store' }))
    expect(await terminals.list()).toMatchObject({ is: 'refused' })
  })
})

describe('an order for a terminal', () => {
  it('is sent with its amount in decimals, under the id of the job', async () => {
    const { announce, at, job } = counter()
    const took = await announce()
    const [payment] = at.payments()
    expect(payment).toMatchObject({ terminal: COUNTER, job, currency: 'EUR', amount: 12.5, isAsync: true })
    expect(took).toEqual({
      is: 'announced',
      way: 'terminal',
      terminal: COUNTER,
      reference: `${COUNTER}/${payment?.serviceId}`,
      expiresAt: null,
    })
  })

  it.each([
    ['JPY', 1250, 1250],
    ['KWD', 1250, 1.25],
    ['ISK', 1250, 1250],
    ['EUR', 1, 0.01],
    ['EUR', 1999, 19.99],
  ])('of %s %i minor units asks for %d', async (currency, amount, asked) => {
    const { begun, at, job } = counter()
    const { ask } = await begun({ currency, amount })
    expect(at.payments()).toMatchObject([{ amount: asked }])
    at.tap(job)
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: amount })
  })

  it('has the same ServiceID for the same job and terminal, and no other', async () => {
    const [one, other] = [counter(), counter()]
    const held = { ...TOO_LATE, isHeld: true } as const
    const reference = async ({ announce }: typeof one, id: string) => announce({ ...held, id })
    expect(await reference(one, COUNTER)).toEqual(await one.announce())
    const all = await Promise.all([
      reference(one, COUNTER),
      reference(one, OTHER_COUNTER),
      reference(other, COUNTER),
    ])
    expect(new Set(all.map((took) => 'reference' in took && took.reference.split('/')[1])).size).toBe(3)
    for (const took of all) expect(took).toHaveProperty('reference', expect.stringMatching(/\/\w{1,10}$/))
  })

  it('is refused if its terminal is off', async () => {
    const { announce, at } = counter()
    at.switch(COUNTER, false)
    expect(await announce()).toMatchObject({
      is: 'refused',
      reason: 'terminal_off',
      message: expect.stringContaining('Did not receive a response'),
    })
  })

  it('is refused if it did not reach its terminal, which is connected but does not have it', async () => {
    const { announce, at } = counter()
    at.miss(COUNTER)
    expect(await announce()).toMatchObject({ is: 'refused', reason: 'terminal_unreachable' })
    expect(at.payments()).toHaveLength(0)
  })

  it('may be at its terminal if that is connected and Adyen hears nothing from it', async () => {
    const { announce, at } = counter()
    at.mute(COUNTER)
    expect(await announce()).toMatchObject(DENIED)
    expect(at.payments()).toHaveLength(1)
  })

  it('is at its terminal if Adyen rejects it but the terminal has it', async () => {
    const { announce, at, answers } = counter()
    const { handle } = at
    at.mute(COUNTER)
    answers(async (request) => {
      const answer = await handle(request)
      at.hear(COUNTER)
      return answer ?? new Response('', { status: 404 })
    })
    expect(await announce()).toMatchObject({ is: 'announced' })
    expect(at.payments()).toHaveLength(1)
  })

  it('for a terminal that Adyen does not know is refused', async () => {
    const { announce } = counter()
    expect(await announce({ ...FIRST, id: 'V400m-000000000' })).toMatchObject({
      is: 'refused',
      reason: 'terminal_unreachable',
    })
  })

  it.each([401, 403])('means that the account is refused after %i', async (status) => {
    const { announce, answers } = counter()
    answers(json(status, { title: 'Forbidden', detail: 'Not entitled' }))
    expect(await announce()).toMatchObject({ is: 'unavailable', accountRefused: true })
  })

  it.each([
    ['nothing', async () => new Response('')],
    ['a page', async () => new Response('<html>', { status: 502 })],
    ['another text', async () => new Response('okay')],
    ['another message', json(200, { SaleToPOIRequest: {} })],
  ] as [string, Fetch][])('answered by %s may be at its terminal', async (_what, answer) => {
    const { announce, answers } = counter()
    answers(answer)
    expect(await announce()).toMatchObject(DENIED)
  })
})

describe('an order that may be at its terminal already', () => {
  it('is asked about, and not sent again while the terminal waits for the card', async () => {
    const { announce, at, asked } = counter()
    at.loseAnswers(1)
    expect(await announce()).toMatchObject({ is: 'unavailable' })
    expect(await announce(AGAIN)).toMatchObject({ is: 'announced' })
    expect(at.payments()).toHaveLength(1)
    expect(asked.map(({ url }) => url.split('/').at(-1))).toEqual(['async', 'sync'])
  })

  it('is not sent again once it has ended', async () => {
    const { announce, at, job } = counter()
    at.loseAnswers(1)
    await announce()
    at.tap(job)
    const took = await announce(AGAIN)
    expect(took).toMatchObject({ is: 'announced' })
    expect(at.payments()).toHaveLength(1)
  })

  it('is sent again if the terminal never had it, as long as the customer stands there', async () => {
    const { announce, at } = counter()
    expect(await announce(AGAIN)).toMatchObject({ is: 'announced' })
    expect(at.payments()).toHaveLength(1)
  })

  it('is refused if the terminal never had it and the customer has left', async () => {
    const { announce, at } = counter()
    expect(await announce(TOO_LATE)).toMatchObject({ is: 'refused', reason: 'terminal_unreachable' })
    expect(at.payments()).toHaveLength(0)
  })

  it('stays in doubt if the terminal cannot be asked', async () => {
    const { announce, at } = counter()
    at.loseAnswers(1)
    await announce()
    at.switch(COUNTER, false)
    for (const start of [AGAIN, TOO_LATE]) expect(await announce(start)).toMatchObject(DENIED)
  })

  it('needs no answer from the terminal once Adyen has signed it', async () => {
    const { announce, asked } = counter()
    expect(await announce({ ...TOO_LATE, isHeld: true })).toMatchObject({ is: 'announced' })
    expect(asked).toHaveLength(0)
  })
})

describe('a payment at a terminal', () => {
  it('is open until the card is read', async () => {
    const { begun } = counter()
    const { ask } = await begun()
    expect(await ask()).toMatchObject(OPEN)
  })

  it('is paid, with the card for the receipt and the reference for refunds', async () => {
    const { begun, at, job } = counter()
    const { ask } = await begun()
    at.tap(job)
    expect(await ask()).toEqual({
      is: 'observed',
      status: 'SUCCESS',
      paid: 1250,
      tip: 0,
      expiresAt: null,
      card: { brand: 'mc', lastFour: '9999', entryMode: 'Contactless', authorisationCode: '123456' },
      other: at.pspReferenceOf(job),
    })
  })

  it('is paid by an answer that has only the result and the amount', async () => {
    const { begun, answers } = counter()
    const { ask } = await begun()
    const PaymentResponse = {
      Response: { Result: 'Success' },
      PaymentResult: { AmountsResp: { AuthorizedAmount: 12.5 }, PaymentInstrumentData: '' },
      POIData: '',
    }
    const RepeatedMessageResponse = { RepeatedResponseMessageBody: { PaymentResponse } }
    const TransactionStatusResponse = { Response: { Result: 'Success' }, RepeatedMessageResponse }
    answers(json(200, { SaleToPOIResponse: { TransactionStatusResponse } }))
    expect(await ask()).toEqual({ is: 'observed', status: 'SUCCESS', paid: 1250, tip: 0, expiresAt: null })
  })

  it.each(['TipAmount', 'posAmountGratuityValue'] as const)('has a tip that comes as %s', async (tipAs) => {
    const { begun, at, job } = counter()
    const { ask } = await begun()
    at.tap(job, { tip: 2.35, tipAs })
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 1485, tip: 235 })
  })

  it('that was authorised only in part has paid that part', async () => {
    const { begun, at, job } = counter()
    const { ask } = await begun()
    at.tap(job, { authorised: 10 })
    expect(await ask()).toMatchObject({ paid: 1000 })
  })

  it.each(['Refusal', 'InvalidCard', 'WrongPIN', 'PaymentRestriction', 'NotAllowed'])(
    'that ends by %s was declined, in the words of Adyen, for good',
    async (condition) => {
      const { begun, at, job } = counter()
      const { ask } = await begun()
      at.fail(job, condition, 'message=NOT_ENOUGH_BALANCE&refusalReason=210%20Not%20enough%20balance', true)
      expect(await ask()).toMatchObject({
        status: 'FAILURE',
        closed: true,
        paid: 0,
        reason: expect.stringMatching(/^declined: .*210 Not enough balance/),
      })
    },
  )

  it.each(['Cancel', 'Aborted'])('that ends by %s is cancelled for good', async (condition) => {
    const { begun, at, job } = counter()
    const { ask } = await begun()
    at.fail(job, condition, 'message=Cancelled')
    const seen = await ask()
    expect(seen).toMatchObject({ status: 'CANCELLED', closed: true, paid: 0 })
    expect(seen).not.toHaveProperty('reason')
  })

  it.each([
    ['InsertedCard', 'terminal_busy'],
    ['DeviceOut', 'terminal_off'],
    ['LoggedOut', 'terminal_off'],
    ['UnavailableDevice', 'terminal_off'],
    ['UnavailableService', 'terminal_unreachable'],
  ])('that ends by %s before a card is %s', async (condition, reason) => {
    const { begun, at, job } = counter()
    const { ask } = await begun()
    at.fail(job, condition, 'message=Sorry')
    expect(await ask()).toMatchObject({
      status: 'FAILURE',
      closed: true,
      reason: expect.stringMatching(new RegExp(`^${reason}: .*Sorry`)),
    })
  })

  it.each([true, false])(
    'is in doubt if the terminal lost its connection (card read: %s)',
    async (isCardRead) => {
      const { begun, at, job, announce } = counter()
      const { ask } = await begun()
      at.fail(job, 'UnreachableHost', 'message=No+host', isCardRead)
      const failure = expect.stringMatching(
        /^terminal_unreachable: .*No host\. .*Adyen takes that back/,
      ) as string
      expect(await ask()).toMatchObject({ is: 'unavailable', failure })
      // The terminal had the order, so that its end is asked for, and not another start.
      expect(await announce(AGAIN)).toMatchObject({ is: 'announced' })
    },
  )

  it.each([{ offline: true }, { isOnline: false }])(
    'that the terminal stored (%j) is not paid yet',
    async (how) => {
      const { begun, at, job } = counter()
      const { ask } = await begun()
      at.tap(job, how)
      expect(await ask()).toMatchObject({ status: 'PENDING', stage: { is: 'underway' }, paid: 0 })
    },
  )

  it('is in doubt after an undocumented condition or result', async () => {
    const { begun, at, job, answers } = counter()
    const { ask } = await begun()
    at.fail(job, 'Weather', 'message=Rain')
    expect(await ask()).toMatchObject({ is: 'unavailable', message: expect.stringContaining('Weather') })
    answers(
      json(200, { SaleToPOIResponse: { TransactionStatusResponse: { Response: { Result: 'Success' } } } }),
    )
    expect(await ask()).toMatchObject(DENIED)
  })

  it('at a terminal that is busy with another one has not begun', async () => {
    const { begun, at, announce, terminals, job } = counter()
    await begun()
    const next = crypto.randomUUID()
    const took = await terminals.announce(paymentRequestOf(next, { terminal: FIRST }), patience)
    if (took.is !== 'announced') throw new Error(took.is)
    expect(await terminals.ask(took.reference, 'EUR')).toMatchObject({
      status: 'FAILURE',
      closed: true,
      reason: expect.stringMatching(/^terminal_busy: /),
    })
    at.tap(job)
    expect(await announce(AGAIN)).toMatchObject({ is: 'announced' })
  })

  it('that came twice, and is refused the second time because of the first, goes on', async () => {
    const { begun, answers } = counter()
    const { ask, reference } = await begun()
    const [, serviceId] = reference.split('/')
    const Response = {
      Result: 'Failure',
      ErrorCondition: 'Busy',
      AdditionalResponse: `message=Service+Dialogue+PaymentRequest+is+in+Progress&serviceId=${serviceId}`,
    }
    const RepeatedMessageResponse = { RepeatedResponseMessageBody: { PaymentResponse: { Response } } }
    const TransactionStatusResponse = { Response: { Result: 'Success' }, RepeatedMessageResponse }
    answers(json(200, { SaleToPOIResponse: { TransactionStatusResponse } }))
    expect(await ask()).toMatchObject(OPEN)
  })

  it('is unknown to a terminal that has forgotten it: there may still be money', async () => {
    const { begun, at, job } = counter()
    const { ask } = await begun()
    at.tap(job)
    at.forget(COUNTER)
    expect(await ask()).toEqual({ is: 'unknown' })
  })

  it('is in doubt while its terminal is off', async () => {
    const { begun, at, job } = counter()
    const { ask } = await begun()
    at.switch(COUNTER, false)
    expect(await ask()).toMatchObject(DENIED)
    at.switch(COUNTER, true)
    at.tap(job)
    expect(await ask()).toMatchObject({ status: 'SUCCESS' })
  })

  it('is not paid in another currency', async () => {
    const { begun, at, job, terminals } = counter()
    const { reference } = await begun()
    at.tap(job)
    expect(await terminals.ask(reference, 'USD')).toMatchObject(DENIED)
  })

  it('is not paid by the answer to another payment', async () => {
    const { begun, at, job, terminals, answers } = counter()
    const { ask } = await begun()
    at.tap(job)
    const took = await terminals.announce(
      paymentRequestOf(crypto.randomUUID(), { terminal: FIRST }),
      patience,
    )
    const ids = at.payments().map(({ serviceId }) => serviceId)
    // The terminal answers each question about the second payment with the result of the first.
    answers(async (request) => {
      const body = (await request.text()).replaceAll(ids[1] ?? '', ids[0] ?? '')
      const { url, headers, method } = request
      const answer = await at.handle(new Request(url, { method, headers, body }))
      return answer ?? new Response('', { status: 404 })
    })
    expect(await ask()).toMatchObject({ status: 'SUCCESS' })
    expect(took.is === 'announced' && (await terminals.ask(took.reference, 'EUR'))).toMatchObject(DENIED)
  })
})

describe('a payment that is stopped', () => {
  const stopped = async (begun: { stop: () => Promise<AskAnswer> }) =>
    withOwnTimers(async () => {
      const stopping = begun.stop()
      await vi.advanceTimersByTimeAsync(5000)
      return stopping
    })

  it('is aborted at its terminal', async () => {
    const { begun, asked, at } = counter()
    const started = await begun()
    expect(await stopped(started)).toMatchObject({ status: 'CANCELLED', closed: true })
    const [payment, abort] = asked.map(({ text }) => /"ServiceID":"(\w+)"/.exec(text)?.[1])
    expect(abort).not.toBe(payment)
    expect(at.payments()).toHaveLength(1)
  })

  it('is paid if the card is through already', async () => {
    const { begun, at, job } = counter()
    const started = await begun()
    at.read(job)
    expect(await stopped(started)).toMatchObject(OPEN)
    at.tap(job)
    expect(await stopped(started)).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('is left alone if its terminal cannot be reached', async () => {
    const { begun, at } = counter()
    const started = await begun()
    at.switch(COUNTER, false)
    expect(await stopped(started)).toMatchObject(DENIED)
  })
})

describe('an event notification', () => {
  it('with the answer is a reason to ask about its payment, and nothing more', async () => {
    const { begun, at, job, read } = counter()
    const { reference } = await begun()
    at.tap(job)
    const [event, ...others] = at.events()
    expect(others).toHaveLength(0)
    expect(event && (await read(event))).toEqual({
      is: 'about',
      payments: [{ job, reference, claimedStatus: null }],
    })
  })

  it('without the user name and the password of the account is not from Adyen', async () => {
    const told = counter()
    await told.begun()
    told.at.tap(told.job)
    const [event] = told.at.events()
    if (!event) throw new Error('no event')
    const withHeader = (authorization: string) => ({ ...event, headers: { ...event.headers, authorization } })
    for (const authorization of ['', 'Basic ', `Basic ${btoa('hub-events:wrong')}`])
      expect(await told.read(withHeader(authorization))).toEqual({ is: 'unauthentic' })
    for (const changes of [{ eventUser: undefined }, { eventPassword: undefined }])
      expect(await counter(changes).read(event)).toEqual({ is: 'unauthentic' })
    const without = counter({ eventUser: undefined, eventPassword: undefined })
    for (const guess of [':', 'undefined:undefined'])
      expect(await without.read(withHeader(`Basic ${btoa(guess)}`))).toEqual({ is: 'unauthentic' })
  })

  it('with a mark that the hub has not made for this payment is not from Adyen', async () => {
    const { begun, at, job, read } = counter()
    await begun()
    at.tap(job)
    const [event] = at.events()
    if (!event) throw new Error('no event')
    const forged = [
      event.body.replace(/hub_mac=\w{8}/, 'hub_mac=00000000'),
      event.body.replaceAll(job, crypto.randomUUID()),
      event.body.replace(COUNTER, OTHER_COUNTER),
    ]
    for (const body of forged) expect(await read({ ...event, body })).toEqual({ is: 'unauthentic' })
  })

  it('still counts after the key of the webhook was replaced', async () => {
    const before = counter()
    await before.begun()
    before.at.tap(before.job)
    const [event] = before.at.events()
    const after = counter({ hmacKey: `00FF ${SHOP.hmacKey}` })
    expect(event && (await after.read(event))).toMatchObject({ payments: [{ job: before.job }] })
  })

  it('without a mark counts by its password, because a busy terminal returns none', async () => {
    const { begun, at, job, read } = counter()
    await begun()
    at.fail(job, 'Refusal', 'message=NOT_ENOUGH_BALANCE')
    const [event] = at.events()
    expect(event && (await read(event))).toMatchObject({ is: 'about', payments: [{ job }] })
  })

  it('about events at a terminal prompts no question', async () => {
    const { at, read } = counter()
    for (const happened of ['CardInserted', 'Shutdown', 'Reject'])
      expect(await read(at.event(happened))).toEqual({ is: 'about', payments: [] })
  })

  it('may have its answer in Base64', async () => {
    const { begun, at, job, read } = counter()
    await begun()
    at.tap(job)
    const [event] = at.events()
    if (!event) throw new Error('no event')
    const inJson = (mark: string) =>
      event.body.replace(/"AdditionalResponse":"[^"]*"/, () => {
        const additional = { message: '', additionalData: { 'metadata.hub_mac': mark } }
        return `"AdditionalResponse":"${btoa(JSON.stringify(additional))}"`
      })
    const mark = /hub_mac=(\w+)/.exec(event.body)?.[1] ?? ''
    expect(await read({ ...event, body: inJson(mark) })).toMatchObject({ payments: [{ job }] })
    expect(await read({ ...event, body: inJson('00') })).toEqual({ is: 'unauthentic' })
  })
})

describe('the standard webhook of a payment at a terminal', () => {
  it('has, by its signature, what was authorised and the reference for refunds', async () => {
    const { at, job, read, begun } = counter()
    await begun()
    expect(await read(await at.authorised(job, 1250))).toMatchObject({
      payments: [
        {
          job,
          reference: null,
          claimedStatus: 'SUCCESS',
          told: { payment: at.pspReferenceOf(job), moves: [{ kind: 'part', amount: 1250, currency: 'EUR' }] },
        },
      ],
    })
  })

  it('for a declined card ends nothing: the customer may try another one at the same terminal', async () => {
    const { at, job, read, begun } = counter()
    await begun()
    expect(await read(await at.authorised(job, 1250, { success: 'false' }))).toMatchObject({
      payments: [{ job, claimedStatus: null }],
    })
  })
})

it('a search by reference does not ask Adyen about a payment at a terminal as if it were a link', async () => {
  const { begun, psp, asked } = counter()
  const { reference } = await begun()
  const before = asked.length
  expect(adyen.references?.test(reference)).toBe(true)
  expect(await psp.jobOf?.(reference)).toBeNull()
  expect(asked).toHaveLength(before)
})
