import type { Job, Order } from '../domain/job.ts'
import { representCreated } from '../domain/representation.ts'
import { readJsonObject } from '../http/body.ts'
import type { Answer } from '../http/routes.ts'
import { overLimit } from '../http/rate-limit.ts'
import type { Refusal } from '../http/refusal.ts'
import { announceAtOne } from '../payment-job/announce.ts'
import { callJob } from '../payment-job/call-job.ts'
import { accountsFor, routedMethods } from '../domain/payment-routes.ts'
import type { Account } from '../domain/account.ts'
import type { Profile } from '../domain/profile.ts'
import type { PosRequest } from './authenticate.ts'
import { fingerprintOf, idempotencyKeyOf, jobIdOf } from './idempotency.ts'
import { keepDigits, readOrder } from './order.ts'
import { QUOTAS } from './quotas.ts'
import { signedJson } from './signed.ts'

/** `POST /v2/paymentjobs`: announces the order at the PSP of its payment method, and bears the job whole. */
export const createPaymentJob = async (request: PosRequest, env: Env): Promise<Answer> => {
  const key = idempotencyKeyOf(request)
  if (typeof key === 'object' && key !== null) return key
  const [limited, body] = await Promise.all([
    overLimit(env.CREATE_PER_POS, QUOTAS.createPerPos, request.profile.pos),
    readJsonObject(request, keepDigits),
  ])
  if (limited) return limited
  if ('refused' in body) return body
  const { origin, hostname } = new URL(request.url)
  const order = readOrder(body.json, { own: hostname, loopback: env.LOOPBACK_URLS === 'allowed' })
  if ('refused' in order) return order
  const [first, ...others] = accountsFor(request.profile, order.paymentMethod)
  if (!first) return noRoute(request.profile)

  const [id, fingerprint] = await Promise.all([
    key === null ? crypto.randomUUID() : jobIdOf(env, request.profile.pos, key),
    fingerprintOf(order),
  ])
  const known = key === null ? null : await callJob(env, id, (stub) => stub.read())
  const job =
    known ?? (await bear(env, request.profile, [first, ...others], { id, fingerprint, origin, order }))
  if (job.fingerprint !== fingerprint) return keyUsedBefore
  return signedJson(env, request.profile, 201, representCreated(job), { location: `/v2/paymentjobs/${id}` })
}

/** The PSP is called from here and not from the object: an object that waits costs money, and holds up its job. */
const bear = async (
  env: Env,
  profile: Profile,
  accounts: readonly [Account, ...Account[]],
  start: { id: string; fingerprint: string; origin: string; order: Order },
): Promise<Job> => {
  const announced = await announceAtOne(env, accounts, start)
  const birth = { ...start, ...announced, pos: profile.pos, transactionId: crypto.randomUUID() }
  return callJob(env, start.id, (stub) => stub.create(birth))
}

const noRoute = (profile: Profile): Refusal => {
  const known = routedMethods(profile)
  const error =
    known.length === 0
      ? 'has no account: this point of sale has no payment methods yet'
      : `is not one of this point of sale's: ${known.join(', ')}`
  return { refused: 'invalid', errors: [{ field: 'payment_method', error }] }
}

const keyUsedBefore: Refusal = {
  refused: 'conflicting',
  detail: 'This Idempotency-Key was used before, for another order.',
  field: 'Idempotency-Key',
}
