import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AnnounceAnswer } from '../../src/psp/answer.ts'
import type { Fetch, MadePayment, PaymentRequest, Psp } from '../../src/psp/port.ts'
import { SAMPLES } from './samples.ts'
import { askAndConfirm, bodyOf, patience, paymentRequestOf } from './scripted.ts'
import { STAGES } from './stages.ts'

const JOB = '0190b1f4-7d5e-4c1a-9b53-000000000010'

/** Names the texts that the PSP made and requests repeat, because a double may make others in each run. */
function nameMade() {
  const made: string[] = []
  const sent: string[] = []
  return {
    note(answer: unknown): void {
      if (typeof answer === 'object' && answer !== null) Object.values(answer).forEach(this.note, this)
      const text = typeof answer === 'number' ? String(answer) : answer
      if (typeof text !== 'string' || !/^[^:/]{6,}$/.test(text) || made.includes(text)) return
      if (!sent.some((request) => request.includes(text))) made.push(text)
    },
    named(request: string): string {
      sent.push(request)
      const known = made
        .filter((text) => request.includes(text))
        .toSorted((one, other) => other.length - one.length)
      return known.reduce((text, id) => text.replaceAll(id, `{made by the PSP}`), request)
    },
  }
}

/** Records an adapter's requests as text, with the names of credentials instead of the credentials. */
function recorder(send: Fetch, credentials: object) {
  const requests: string[] = []
  const names = nameMade()
  const fetch: Fetch = async (request) => {
    const headers = [...request.headers]
      .filter(([name]) => name !== 'accept')
      .map(([name, value]) => `${name}: ${value}`)
    const text = [
      `${request.method} ${decodeURIComponent(request.url)}`,
      ...headers,
      readable(await bodyOf(request.clone())),
    ]
    const shown = Object.entries(credentials).reduce(
      (all, [name, value]) => all.replaceAll(String(value), `{${name}}`),
      text.join('\n').trim(),
    )
    requests.push(names.named(shown))
    const answer = await send(request)
    names.note(
      await answer
        .clone()
        .json()
        .catch(() => null),
    )
    return answer
  }
  return { fetch, requests }
}

function readable(body: string): string {
  if (body === '') return ''
  return body.startsWith('{')
    ? JSON.stringify(JSON.parse(body), null, 2)
    : [...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`).join('\n')
}

/** The members of a body at any depth, each with its path. */
function membersOf(body: object, path = ''): string[] {
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? membersOf(value, `${path}${name}.`)
      : [`${path}${name}=${String(value)}`],
  )
}

/** What the adapter sends otherwise for each of its methods, and if the shop captures. */
async function methodsAt({ adapter, announced }: (typeof SAMPLES)[string]): Promise<string> {
  const membersFor = async (changes: Partial<PaymentRequest>) => membersOf(await announced(changes))
  const usual = new Set(await membersFor({ paymentMethod: 'any' }))
  const lines = [...adapter.methods.keys()].toSorted().map(async (paymentMethod) => {
    const once = await membersFor({ paymentMethod })
    const other = once.filter((member) => !usual.has(member)).join(' ')
    if (!adapter.reserves.days.has(paymentMethod)) return `${paymentMethod}: ${other}`
    const held = await membersFor({ paymentMethod, capture: 'manual' })
    return `${paymentMethod}: ${other}; reserved: ${held.filter((member) => !once.includes(member)).join(' ')}`
  })
  return (await Promise.all(lines)).join('\n')
}

function paymentIn(answer: AnnounceAnswer, job: string): MadePayment {
  if (answer.is !== 'announced') throw new Error(answer.message)
  // Adyen's notifications tell this.
  return { job, reference: answer.reference, payment: '993617894903480A' }
}

const MANUAL = { capture: 'manual' } as const

type Step = (psp: Psp) => Promise<unknown>

/** Plays a payment, its refund, reserved money, a terminal and payouts, and returns all requests by what the hub wants. */
async function catalogueOf(name: string): Promise<string> {
  const [samples, open] = [SAMPLES[name], STAGES[name]]
  if (!samples || !open) throw new Error(`${name} has no samples or no stage`)
  const { fake, terminal, method = 'creditcard' } = open()
  const credentials = { ...fake.accounts[0], ...terminal?.credentials }
  const { fetch, requests } = recorder(fake.handle, credentials)
  const psp = samples.adapter.open({ fetch, mode: 'live', credentials })
  const pages: string[] = []
  const play = async (what: string, step: Step) => {
    await step(psp)
    pages.push(`=== ${what}`, ...requests.splice(0))
  }
  const reservation = { paymentMethod: method, ...MANUAL }
  let payment: MadePayment
  let jobs = 0
  const announce = async (changes: Partial<PaymentRequest>) => {
    const job = `0190b1f4-7d5e-4c1a-9b53-0000000000${10 + ++jobs}`
    payment = paymentIn(await psp.announce(paymentRequestOf(job, changes), patience), job)
  }
  /** The customer pays a new payment, which the hub may still have to confirm. Its requests are none of the catalogue. */
  const approved = async (changes: Partial<PaymentRequest>) => {
    await announce(changes)
    fake.bring(payment.job, 'paid')
    requests.length = 0
  }
  const paid = async (changes: Partial<PaymentRequest>) => {
    await approved(changes)
    const { reference } = payment
    await askAndConfirm(psp, reference, { currency: 'EUR', ...(changes.capture === 'manual' ? MANUAL : {}) })
    requests.length = 0
  }
  const wish = (id: string) => ({
    id: `${payment.job}-${id}`,
    amount: 500,
    currency: 'EUR',
    description: 'A-7',
    round: 1,
  })

  await play('check the account', () => psp.check())
  await play('announce a payment', () => announce({ paymentMethod: 'any' }))
  pages.push('=== announce by each payment method: only what differs', await methodsAt(samples))
  await play('announce a payment whose money is reserved', () => announce(reservation))
  await play('ask about it', () => psp.ask(payment.reference, 'EUR'))
  await play('look for its job', async () => psp.jobOf?.(payment.reference))
  await play('stop it', () => psp.stop(payment.reference, 'EUR'))
  const { confirm } = psp
  if (confirm) {
    await approved(reservation)
    await play('confirm it, as its customer has approved it', () =>
      confirm(payment.reference, { currency: 'EUR', ...MANUAL }),
    )
  }
  await paid({})
  await play('refund a part', () => psp.refund(payment, wish('1')))
  await paid(reservation)
  await play('capture a part', () => psp.capture(payment, wish('1')))
  await play('capture the last part after an answer was lost', () =>
    psp.capture(payment, { ...wish('2'), isFinal: true, isRepeated: true }),
  )
  await paid(reservation)
  await play('release it', () => psp.release(payment, { ...wish('1'), amount: 1250 }))
  const { terminals, payouts } = psp
  if (terminals && terminal) {
    const at = { terminal: { id: terminal.id, isSent: false, mayStart: true } }
    await play('list terminals', () => terminals.list())
    await play('announce a payment at a terminal', async () => {
      payment = paymentIn(await terminals.announce(paymentRequestOf(JOB, at), patience), JOB)
    })
    await play('ask about it', () => terminals.ask(payment.reference, 'EUR'))
    await play('stop it', () => terminals.stop(payment.reference, 'EUR'))
  }
  if (payouts) {
    const listed = { id: 'payout-1', key: 'payout-1', currency: 'EUR', amount: 1, paidAt: Date.now() }
    await play('list payouts', () => payouts.payouts(null))
    await play('list the lines of a payout', () => payouts.lines(listed, null))
  }
  return `${pages.join('\n\n')}\n`
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 10) })
  // Adapters number some requests at random.
  let numbered = 0
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
    if (bytes instanceof Uint8Array) bytes.fill(++numbered)
    return bytes
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe.each(Object.keys(SAMPLES))('the requests of the adapter of %s', (name) => {
  // After a change that is meant: `npx vitest run --config test/vitest.config.ts test/psp/requests.test.ts -u`
  it('are those of the catalogue next to its samples', async () => {
    await expect(await catalogueOf(name)).toMatchFileSnapshot(`./${name}/requests.txt`)
  })
})
