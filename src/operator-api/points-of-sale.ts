import type * as v from 'valibot'
import * as keys from '../registry/api-keys.ts'
import * as registry from '../registry/points-of-sale.ts'
import type { NewApiKey, PointOfSale } from '../contract/points-of-sale.ts'
import { Right, endOf, limitedTo } from '../contract/key-limits.ts'
import { formatAmount, moneyText } from '../contract/money.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { HOUR, isoTime } from '../contract/timestamp.ts'
import { randomHex, sha256 } from '../platform/crypto/hash.ts'
import { MARK, markId, signingSecret } from '../platform/crypto/signing.ts'
import { reply } from '../platform/http/operations.ts'
import { invalidField, type Refusal } from '../platform/http/refusal.ts'
import { credentialState } from '../registry/credential-age.ts'
import { profileById } from '../registry/profiles.ts'
import { refundDay, refundsOf } from '../registry/refund-limit.ts'
import { newRefundPin, readRefundPin, setRefundPin as writeRefundPin } from '../registry/refund-pin.ts'
import { publishAfter, publishNewKey } from '../registry/publish-after.ts'
import { type OperatorHandler, changed } from './serve.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns random letters and digits, each equally likely: about six bits per letter. */
export function randomLetters(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // Bytes beyond the last full round of letters would make some letters likelier.
      if (byte < 256 - (256 % LETTERS.length) && text.length < length) text += LETTERS[byte % LETTERS.length]
    }
  }
  return text
}

const LENGTH = 160

/**
 * Makes an API key: 154 random letters and digits, and a mark of six letters that only this hub can
 * make, so that an invented key never reaches D1. Existing clients refuse keys shorter than 150.
 */
export function newApiKey(env: Env): Promise<string> {
  return markId(env.SIGNING_ROOT, randomLetters(LENGTH - MARK))
}

/** Makes a key with the limits of a body. Without `can`, it has the rights `usual`; null for all. */
async function limitedKey(
  env: Env,
  { expires, can }: v.InferOutput<typeof NewApiKey>,
  { now, usual }: { now: number; usual: string[] | null },
): Promise<
  Result<{ apiKey: string; row: registry.NewApiKey; limits: ReturnType<typeof shownLimits> }, Refusal>
> {
  const end = endOf(expires, now)
  if (!end.ok) return invalidField('expires', end.error)
  const apiKey = await newApiKey(env)
  const row = { hash: await sha256(apiKey), expiresAt: end.value, can: can ? limitedTo(can) : usual }
  return ok({ apiKey, row, limits: shownLimits(row) })
}

function shownLimits({ can, expiresAt }: Pick<registry.NewApiKey, 'can' | 'expiresAt'>) {
  return { can: Right.options.filter((right) => can?.includes(right) ?? true), expires: isoTime(expiresAt) }
}

function shownKey(key: Pick<registry.NewApiKey, 'can' | 'expiresAt'> & { createdAt: number }) {
  const state = credentialState(key, Date.now())
  return { created: isoTime(key.createdAt), ...shownLimits(key), state }
}

export const addApiKey: OperatorHandler<'addApiKey'> = async ({ env, params: { id }, body }) => {
  const found = await profileById(env.DB, id)
  if (!found) return noPos(id)
  const now = Date.now()
  const newest = found.keys.toSorted((one, other) => other.createdAt - one.createdAt)[0]
  const made = await limitedKey(env, body, { now, usual: newest?.can ?? null })
  if (!made.ok) return made
  const { apiKey, row, limits } = made.value
  await publishNewKey(env, id, () => keys.addApiKey(env.DB, id, row, now))
  return changed({ id, apiKey, ...limits }, { subject: id, after: { keysAdded: 1, ...limits } })
}

export const revokeApiKeys: OperatorHandler<'revokeApiKeys'> = async ({ env, params: { id } }) => {
  if (!(await profileById(env.DB, id))) return noPos(id)
  const revoked = await publishAfter(env, [{ pos: id }], () => keys.revokeOlderKeys(env.DB, id, Date.now()))
  return changed({ id, revoked }, { subject: id, after: { keysRevoked: revoked } })
}

export function noPos(id: string) {
  return refuse({ code: 'pos-not-found', detail: `There is no point of sale ${id}.` })
}

/** Makes a new secret. A client that got no answer and calls again gets the same one. */
export const rotateSigningSecret: OperatorHandler<'rotateSigningSecret'> = async ({ env, params, body }) => {
  const { id } = params
  const { overlapHours, again } = body
  const now = Date.now()
  const formerUntil = overlapHours === undefined ? undefined : now + Math.round(overlapHours * HOUR)
  const newest = await publishAfter(env, [{ pos: id }], () =>
    registry.nextSigningSecret(env.DB, id, { now, formerUntil, again }),
  )
  if (newest === null) return noPos(id)
  const until = newest.formerUntil ?? 0
  const { version, repeated } = newest
  const secret = {
    id,
    signingSecret: await signingSecret(env.SIGNING_ROOT, id, version),
    made: isoTime(newest.madeAt),
    repeated,
    formerUntil: until > now ? isoTime(until) : null,
  }
  return changed(secret, {
    subject: id,
    before: { version: repeated ? version : version - 1 },
    after: { version, formerUntil: secret.formerUntil },
  })
}

/** Sets or removes a PIN for refunds. The audit log only has when the PIN was set. */
export const setRefundPin: OperatorHandler<'setRefundPin'> = async ({ env, params: { id }, body }) => {
  const [found, before] = await Promise.all([profileById(env.DB, id), readRefundPin(env.DB, id)])
  if (!found) return noPos(id)
  const now = Date.now()
  const pin = body.pin === 'none' ? null : (body.pin ?? newRefundPin())
  await writeRefundPin(env, id, pin, now)
  const [was, set] = [isoTime(before?.madeAt ?? null), isoTime(pin === null ? null : now)]
  return changed({ id, pin }, { subject: id, before: { set: was }, after: { set } })
}

export const createPointOfSale: OperatorHandler<'createPointOfSale'> = async ({ env, body }) => {
  const { expires: _expires, can: _can, ...members } = body
  const now = Date.now()
  const made = await limitedKey(env, body, { now, usual: null })
  if (!made.ok) return made
  const { apiKey, row, limits } = made.value
  const pos: registry.PointOfSale = {
    ...members,
    id: randomHex(32),
    signingVersion: 1,
    createdAt: now,
    disabledAt: null,
    tokensSince: null,
    secretMadeAt: null,
    refundLimits: null,
    formerSecretUntil: null,
  }
  const secret = await signingSecret(env.SIGNING_ROOT, pos.id, pos.signingVersion)
  await publishNewKey(env, pos.id, () => registry.addPointOfSale(env.DB, pos, row))
  const created = { ...represent(pos), apiKey, ...limits, signingSecret: secret }
  return changed(created, { subject: pos.id, after: { mode: pos.mode, ...auditValues(pos), ...limits } })
}

export const showPointOfSale: OperatorHandler<'showPointOfSale'> = async ({
  env,
  config,
  params: { id },
}) => {
  const now = Date.now()
  const { day, ends } = refundDay(now, config.timeZone)
  const [found, used, pin] = await Promise.all([
    profileById(env.DB, id),
    refundsOf(env.DB, id, day),
    readRefundPin(env.DB, id),
  ])
  if (!found) return noPos(id)
  const oldestFirst = found.keys.toSorted((one, other) => one.createdAt - other.createdAt)
  return reply({
    ...represent(found.pos),
    secretMade: isoTime(found.pos.secretMadeAt ?? found.pos.createdAt),
    refundsToday: Object.entries(found.pos.refundLimits ?? {}).map(([currency, limit]) => ({
      currency,
      limit: formatAmount(limit, currency),
      used: formatAmount(used.get(currency) ?? 0, currency),
    })),
    refundDayEnds: isoTime(ends),
    refundPin: pin && {
      set: isoTime(pin.madeAt),
      locked: pin.lockedUntil > now ? isoTime(pin.lockedUntil) : null,
    },
    keys: oldestFirst.map(shownKey),
  })
}

export const listPointsOfSale: OperatorHandler<'listPointsOfSale'> = async ({ env }) =>
  reply({ pointsOfSale: (await registry.listPointsOfSale(env.DB)).map(represent) })

export const disablePointOfSale: OperatorHandler<'disablePointOfSale'> = ({ env, params: { id } }) =>
  switched(env, id, true, () => registry.disablePointOfSale(env.DB, id, Date.now()))

export const enablePointOfSale: OperatorHandler<'enablePointOfSale'> = ({ env, params: { id } }) =>
  switched(env, id, false, () => registry.enablePointOfSale(env.DB, id, Date.now()))

async function switched<Disabled extends boolean>(
  env: Env,
  id: string,
  disabled: Disabled,
  write: () => Promise<boolean>,
) {
  const before = await profileById(env.DB, id)
  if (!(await publishAfter(env, [{ pos: id }], write))) return noPos(id)
  const was = before && { disabled: before.disabledAt !== null }
  return changed({ id, disabled }, { subject: id, before: was, after: { disabled } })
}

export const changePointOfSale: OperatorHandler<'changePointOfSale'> = async ({ env, params, body }) => {
  const { id } = params
  const before = await profileById(env.DB, id)
  const pos = await publishAfter(env, [{ pos: id }], () => registry.changePointOfSale(env.DB, id, body))
  if (!pos) return noPos(id)
  return changed(represent(pos), {
    subject: id,
    before: before && auditValues(before.pos),
    after: auditValues(pos),
  })
}

function auditValues({ name, signReturn, dialect, refundLimits }: registry.PointOfSale) {
  return { name, signReturn, dialect, ...(refundLimits ? { refundLimits: limitTexts(refundLimits) } : {}) }
}

function limitTexts(limits: registry.PointOfSale['refundLimits']): string[] {
  return Object.entries(limits ?? {}).map(([currency, amount]) => moneyText(amount, currency))
}

function represent(pos: registry.PointOfSale): PointOfSale {
  const { id, name, mode, dialect } = pos
  const [created, disabled] = [isoTime(pos.createdAt), isoTime(pos.disabledAt)]
  const refundLimits = limitTexts(pos.refundLimits)
  return { id, name, mode, signReturn: registry.signsReturn(pos), dialect, created, disabled, refundLimits }
}
