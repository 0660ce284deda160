import {
  type Account,
  type Profile,
  SANDBOX_ACCOUNT,
  accountsFor,
  routedMethods,
} from '../registry/profile.ts'
import type { State } from '../job/core/state.ts'
import { type Order, keptOrder, NewPaymentJob, NewTerminalJob, paymentJobOfV1 } from '../contract/order.ts'
import { representCreated } from '../job/core/show.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { type Refusal, invalidField, errorsOf, invalidFields } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { announcedOf, attemptedOf } from '../job/announce.ts'
import { type Attempt, announceAtOne } from '../psp/announce.ts'
import { createJob, goingOn, lookUp } from '../job/call-job.ts'
import { hashPersonal } from '../job/journal-chain.ts'
import type { PosHandler } from './handler.ts'
import { fingerprintOf, idempotencyKeyOf, jobIdOf } from './idempotency.ts'
import { randomHex } from '../platform/crypto/hash.ts'
import { linkOf } from '../job/link.ts'
import {
  carriersOf,
  currenciesAt,
  isTestMethod,
  limitsOf,
  reserveOf,
  takersOf,
  TEST_METHODS,
  usableMethods,
  whyUnsupported,
} from '../psp/adapters.ts'
import { formatAmount } from '../contract/money.ts'
import * as v from 'valibot'
import { readSentAmount } from '../contract/sent-values.ts'
import { thereAre } from '../contract/body-members.ts'
import { accountOfTerminal, findTerminal, terminalsOf } from '../registry/terminals.ts'
import type { JsonObject } from '../platform/http/body.ts'
import { type PublicUrlRules, refusedUrl, tillAddress } from '../platform/http/public-url.ts'

export const createPaymentJob: PosHandler<'createPaymentJob'> = async (asked, profile) => {
  const { request, env, config, body } = asked
  const key = idempotencyKeyOf(request)
  if (!key.ok) return key
  const { origin, hostname } = new URL(request.url)
  const rules = {
    own: [hostname, ...config.hosts],
    loopback: config.loopback,
    till: tillAddress(origin),
  }
  const read = readOrder(body, rules, schemaFor(profile, body))
  if (!read.ok) return read
  const order = read.value
  const terminal = terminalNamed(profile, body)
  const id = key.value === null ? crypto.randomUUID() : await jobIdOf(profile.pos, key.value)
  const [link, fingerprint] = await Promise.all([
    linkOf(env.SIGNING_ROOT, id),
    fingerprintOf(order, terminal),
  ])
  const known = key.value === null ? null : await lookUp(env, id)
  if (known?.is === 'purged') return known.fingerprint === fingerprint ? keyUsedUp : keyUsedBefore
  const job = known
    ? ok(known.job)
    : await goingOn(announceAndCreate(env, profile, { id, link, fingerprint, origin, order }, terminal))
  if (!job.ok) return job
  if (job.value.fingerprint !== fingerprint) return keyUsedBefore
  return reply(representCreated(job.value), { location: `/v2/paymentjobs/${id}` })
}

function schemaFor({ dialect }: Profile, { terminal }: JsonObject): OrderSchema {
  if (dialect === 'v1') return paymentJobOfV1
  return terminal === undefined ? NewPaymentJob : NewTerminalJob
}

/** Returns the terminal that a valid order names; undefined for an order that is paid on a page. */
function terminalNamed({ dialect }: Profile, { terminal }: JsonObject): string | undefined {
  return typeof terminal === 'string' && dialect !== 'v1' ? terminal : undefined
}

function atTerminal(profile: Profile, order: Order, named: string): Result<Order, Refusal> {
  const terminal = findTerminal(profile, named)
  const account = terminal && accountOfTerminal(profile, terminal)
  if (!terminal || !account) {
    const ids = terminalsOf(profile).map(({ id }) => id)
    return invalidField('terminal', `is not a terminal of this point of sale: ${thereAre(ids)}`)
  }
  if (account.currencies?.includes(order.currency) === false)
    return noCurrency(`terminal ${terminal.id}`, account.currencies)
  return ok({ ...order, terminal: { id: terminal.id, account: account.id } })
}

/**
 * Asks the PSP from the Worker: an object that waits would cost money, and block the job. An order for
 * a terminal is sent by the object, once it has stored the job: otherwise a terminal could take a
 * payment that the hub does not know.
 */
async function announceAndCreate(
  env: Env,
  profile: Profile,
  start: { id: string; link: string; fingerprint: string; origin: string; order: Order },
  terminal: string | undefined,
): Promise<Result<State, Refusal>> {
  const placed = terminal === undefined ? ok(start.order) : atTerminal(profile, start.order, terminal)
  if (!placed.ok) return placed
  const order = placed.value
  const job = { ...start, order, pos: profile.pos }
  const announced = order.terminal ? ok([]) : await announce(env, profile, job)
  if (!announced.ok) return announced
  const personal = { ipAddress: order.ipAddress, salt: randomHex(32) }
  const created = {
    is: 'created' as const,
    ...job,
    order: { ...order, ipAddress: '' },
    personalHash: await hashPersonal(personal),
    isLive: profile.mode === 'live',
    transactionId: crypto.randomUUID(),
  }
  const birth = { created, attempts: announced.value.map((one) => attemptedOf(one)), personal }
  return ok(await createJob(env, birth))
}

async function announce(
  env: Env,
  profile: Profile,
  job: Parameters<typeof announcedOf>[0],
): Promise<Result<Attempt[], Refusal>> {
  const { order } = job
  const refused = profile.mode === 'test' ? refusedInTest(order) : null
  if (refused) return refused
  const routed = accountsFor(profile, order.paymentMethod)
  const [first, ...others] = takersOf(routed, order)
  if (!first) return noAccount(profile, routed, order)
  return ok(await announceAtOne(env, [first, ...others], announcedOf(job), 'create'))
}

const noMethod = invalidField('payment_method', `is not a payment method: ${TEST_METHODS.join(', ')}`)

/** Refuses in test mode what the list of payment methods says that a live PSP would refuse. */
function refusedInTest({ paymentMethod, currency, amount }: Order): Result<never, Refusal> | null {
  if (!isTestMethod(paymentMethod)) return noMethod
  const method = { paymentMethod, accounts: [SANDBOX_ACCOUNT] }
  const currencies = currenciesAt(method)
  if (currencies?.includes(currency) === false) return noCurrency(paymentMethod, currencies)
  const { minimum = 0, maximum = Infinity } = limitsOf(method).find((one) => one.currency === currency) ?? {}
  const [end, bound] = amount < minimum ? ['least', minimum] : ['most', maximum]
  if (amount >= minimum && amount <= maximum) return null
  return invalidField(
    'amount',
    `must be at ${end} ${formatAmount(bound, currency)} ${currency} by ${paymentMethod}`,
  )
}

function noCurrency(paymentMethod: string, taken: readonly string[]): Result<never, Refusal> {
  return invalidField('currency', `is not taken by ${paymentMethod} here, which takes ${taken.join(', ')}`)
}

/**
 * Explains why no account takes the order: its method has no route, or the hub cannot use it there; or
 * no account can reserve its money, or only one with other currencies can.
 */
function noAccount(profile: Profile, routed: readonly Account[], order: Order): Result<never, Refusal> {
  const { paymentMethod } = order
  const carriers = carriersOf(routed, order)
  if (carriers.length === 0 && carriersOf(routed, { paymentMethod }).length > 0)
    return notReserved(profile, paymentMethod)
  const others = carriers.flatMap(({ currencies }) => currencies ?? [])
  if (others.length > 0) return noCurrency(paymentMethod, [...new Set(others)])
  const [first] = routed
  const reason = first && whyUnsupported(first, paymentMethod)
  if (reason) return invalidField('payment_method', `cannot be taken: ${reason}`)
  const known = routedMethods(profile)
  return invalidField(
    'payment_method',
    known.length === 0
      ? 'has no account: this point of sale has no payment methods yet'
      : `is not one of this point of sale's: ${known.join(', ')}`,
  )
}

function notReserved(profile: Profile, paymentMethod: string): Result<never, Refusal> {
  const able = usableMethods(profile).flatMap((one) => (reserveOf(one) ? [one.paymentMethod] : []))
  const which = able.length === 0 ? 'no payment method of this point of sale can' : `${able.join(', ')} can`
  return invalidField(
    'capture',
    `cannot be manual for ${paymentMethod}, whose money cannot be reserved: ${which}`,
  )
}

const keyUsedBefore = refuse({
  code: 'idempotency-key-reused',
  detail: 'This Idempotency-Key was used before, for another order.',
  field: 'Idempotency-Key',
})

const keyUsedUp = refuse({
  code: 'idempotency-key-used-up',
  detail:
    'This Idempotency-Key was used before, and its job was deleted after its retention time. Use a new key for a new payment.',
  field: 'Idempotency-Key',
})

type OrderSchema = typeof NewPaymentJob | typeof NewTerminalJob | typeof paymentJobOfV1

/** Reads an order. The refusal names every invalid field; unknown fields are ignored. */
export function readOrder(
  body: JsonObject,
  rules: PublicUrlRules & { till?: string },
  schema: OrderSchema = NewPaymentJob,
): Result<Order, Refusal> {
  const sent = v.safeParse(schema, body)
  const errors = errorsOf(sent.issues ?? [])
  const amount = readAmount(body, errors)
  for (const field of ['return_url', 'report_url']) {
    const isMissing = body[field] === undefined && schema === NewTerminalJob
    const isOfTill = typeof body[field] === 'string' && body[field] === rules.till
    const refused = isMissing || isOfTill || errors.has(field) ? null : refusedUrl(String(body[field]), rules)
    if (refused) errors.set(field, refused)
  }
  return sent.success && errors.size === 0
    ? ok(keptOrder(sent.output, amount))
    : invalidFields(errors, Object.keys(schema.entries))
}

/** Reads the amount. Without a valid currency it may have two decimals. */
function readAmount(body: JsonObject, errors: Map<string, string>): number {
  const sent = v.safeParse(NewPaymentJob.entries.amount, body['amount'])
  if (!sent.success) return 0
  const currency = errors.has('currency') ? 'EUR' : String(body['currency'])
  const amount = readSentAmount(sent.output, currency)
  if (!amount.ok) errors.set('amount', amount.error)
  return amount.ok ? amount.value : 0
}
