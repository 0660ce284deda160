import * as keys from '../registry/api-keys.ts'
import * as registry from '../registry/points-of-sale.ts'
import type { PointOfSale } from '../contract/points-of-sale.ts'
import { refuse } from '../contract/result.ts'
import { HOUR, isoTime } from '../contract/timestamp.ts'
import { randomHex, sha256 } from '../platform/crypto/hash.ts'
import { MARK, markId, signingSecret } from '../platform/crypto/signing.ts'
import { reply } from '../platform/http/operations.ts'
import { profileById } from '../registry/profiles.ts'
import { publishAfter, publishNewKey } from '../registry/publish-after.ts'
import { type OperatorHandler, changed } from './serve.ts'
import { invalidField, type FieldError } from '../platform/http/refusal.ts'
import { nearest } from '../platform/nearest.ts'
import { ADAPTERS } from '../psp/adapters.ts'
import { accountsNamed, routesOf, setRoute } from '../registry/accounts.ts'
import type { PaymentRoute } from '../registry/route-rules.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits: each letter is as likely as the next, about six bits. */
export function randomLetters(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // Bytes beyond the last whole round of letters are thrown away.
      if (byte < 256 - (256 % LETTERS.length) && text.length < length) text += LETTERS[byte % LETTERS.length]
    }
  }
  return text
}

const LENGTH = 160

/**
 * A new API key: 154 random letters and digits, and a mark of six that only this hub can make. So a
 * key that nobody has never reaches D1. Clients in the field refuse keys shorter than 150.
 */
export function newApiKey(env: Env): Promise<string> {
  return markId(env.SIGNING_ROOT, randomLetters(LENGTH - MARK))
}

export const addApiKey: OperatorHandler<'addApiKey'> = async ({ env, params: { id } }) => {
  if (!(await profileById(env.DB, id))) return noPos(id)
  const apiKey = await newApiKey(env)
  const hash = await sha256(apiKey)
  await publishNewKey(env, id, () => keys.addApiKey(env.DB, id, hash, Date.now()))
  return changed({ id, apiKey }, { subject: id, after: { keysAdded: 1 } })
}

export const revokeApiKeys: OperatorHandler<'revokeApiKeys'> = async ({ env, params: { id } }) => {
  if (!(await profileById(env.DB, id))) return noPos(id)
  const revoked = await publishAfter(env, [{ pos: id }], () => keys.revokeOlderKeys(env.DB, id, Date.now()))
  return changed({ id, revoked }, { subject: id, after: { keysRevoked: revoked } })
}

export function noPos(id: string) {
  return refuse({ code: 'pos-not-found', detail: `There is no point of sale ${id}.` })
}

/** Whoever did not get the answer calls again, and gets the same secret. */
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

export const createPointOfSale: OperatorHandler<'createPointOfSale'> = async ({ env, body }) => {
  const pos: registry.PointOfSale = {
    ...body,
    id: randomHex(32),
    signingVersion: 1,
    createdAt: Date.now(),
    disabledAt: null,
    tokensSince: null,
    secretMadeAt: null,
    formerSecretUntil: null,
  }
  const apiKey = await newApiKey(env)
  const hash = await sha256(apiKey)
  const secret = await signingSecret(env.SIGNING_ROOT, pos.id, pos.signingVersion)
  await publishNewKey(env, pos.id, () => registry.addPointOfSale(env.DB, pos, hash))
  const created = { ...represent(pos), apiKey, signingSecret: secret }
  return changed(created, { subject: pos.id, after: { mode: pos.mode, ...toldOf(pos) } })
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
    before: before && toldOf(before.profile),
    after: toldOf(pos),
  })
}

type Told = Pick<registry.PointOfSale, 'name' | 'signReturn'> & { dialect?: registry.PointOfSale['dialect'] }

/** What the audit log tells of a point of sale. */
function toldOf({ name, signReturn, dialect = 'v2' }: Told) {
  return { name, signReturn, dialect }
}

function represent(pos: registry.PointOfSale): PointOfSale {
  const { id, name, mode, dialect } = pos
  const [created, disabled] = [isoTime(pos.createdAt), isoTime(pos.disabledAt)]
  return { id, name, mode, signReturn: registry.signsReturn(pos), dialect, created, disabled }
}

export const listPaymentRoutes: OperatorHandler<'listPaymentRoutes'> = async ({ env, params: { id: pos } }) =>
  (await profileById(env.DB, pos)) ? reply(await representRoutes(env, pos)) : noPos(pos)

export const changePaymentRoute: OperatorHandler<'changePaymentRoute'> = async ({ env, params, body }) => {
  const { id: pos } = params
  const found = await profileById(env.DB, pos)
  if (!found) return noPos(pos)
  const error = found.profile.mode === 'test' ? testMode : await wrongWith(env, pos, body)
  if (error) return invalidField(error.field, error.error)
  await publishAfter(env, [{ pos }], () => setRoute(env.DB, pos, body, Date.now()))
  const { paymentMethod, accounts } = body
  const former = found.profile.routes.filter((route) => route.paymentMethod === paymentMethod)
  return changed(await representRoutes(env, pos), {
    subject: pos,
    before: { paymentMethod, accounts: former.map(({ account }) => account) },
    after: { paymentMethod, accounts },
  })
}

async function representRoutes(env: Env, pos: string) {
  const routes = await routesOf(env.DB, pos)
  const [first] = await accountsNamed(
    env.DB,
    routes.flatMap(({ accounts }) => accounts),
  )
  return { pos, mode: first?.mode ?? null, routes }
}

/**
 * A payment that goes over from a real account to one in a PSP's test environment would give goods
 * away: all accounts of a point of sale are of one mode.
 */
async function wrongWith(
  env: Env,
  pos: string,
  { paymentMethod, accounts }: PaymentRoute,
): Promise<FieldError | null> {
  const others = (await routesOf(env.DB, pos)).filter((route) => route.paymentMethod !== paymentMethod)
  const used = await accountsNamed(env.DB, [...accounts, ...others.flatMap((route) => route.accounts)])
  const unknown = accounts.filter((account) => !used.some(({ id }) => id === account))
  if (unknown.length > 0) return { field: 'accounts', error: `has no such account: ${unknown.join(', ')}` }
  const misnamed = used.find(({ id, psp }) => accounts.includes(id) && !knows(psp, paymentMethod))
  if (misnamed) return { field: 'paymentMethod', error: noMethodOf(misnamed, paymentMethod) }
  return new Set(used.map(({ mode }) => mode)).size > 1
    ? { field: 'accounts', error: 'must be of the one mode that all accounts of a point of sale have' }
    : null
}

/**
 * A route that is mistyped would never be taken. One for a method that the hub cannot ask this PSP
 * for is: another account of the route may take it, and if none can, the create call says why.
 */
function knows(psp: string, paymentMethod: string): boolean {
  const adapter = ADAPTERS[psp]
  return (
    paymentMethod === '*' ||
    adapter?.methods.has(paymentMethod) === true ||
    adapter?.unsupported.has(paymentMethod) === true
  )
}

function noMethodOf({ id, psp }: { id: string; psp: string }, paymentMethod: string): string {
  const meant = nearest(paymentMethod, [...(ADAPTERS[psp]?.methods.keys() ?? [])])
  const advice = meant === null ? "For a customer who chooses on the PSP's page: *" : `Did you mean ${meant}?`
  return `is no payment method of ${psp}, at which ${id} is. ${advice}`
}

const testMode: FieldError = {
  field: 'pos',
  error: 'is of test mode, which has the sandbox for every method; make one with --live',
}
