import { sha256, randomHex } from '../platform/crypto/hash.ts'
import { signingSecret } from '../platform/crypto/signing.ts'
import {
  addPointOfSale,
  changePointOfSale,
  disablePointOfSale,
  enablePointOfSale,
  listPointsOfSale,
  type PointOfSale as PosRow,
} from '../registry/points-of-sale.ts'
import { profileById } from '../registry/profiles.ts'
import { publishAfter, publishNewKey } from '../registry/publish-after.ts'
import { newApiKey, noPos } from './keys.ts'
import { changed, type OperatorHandler } from './handler.ts'
import type { PointOfSale } from '../contract/points-of-sale.ts'
import { reply } from '../platform/http/operations.ts'

/** `POST /operator/v1/pos`: the only time that the API key is shown. */
export const createPointOfSale: OperatorHandler<'createPointOfSale'> = async ({ env, body }) => {
  const pos: PosRow = {
    ...body,
    id: randomHex(32),
    signingVersion: 1,
    createdAt: Date.now(),
    disabledAt: null,
    tokensSince: null,
    secretMadeAt: null,
    formerSecretUntil: null,
  }
  const apiKey = newApiKey()
  const hash = await sha256(apiKey)
  const secret = await signingSecret(env.SIGNING_ROOT, pos.id, pos.signingVersion)
  await publishNewKey(env, pos.id, () => addPointOfSale(env.DB, pos, hash))
  const created = { ...represent(pos), apiKey, signingSecret: secret }
  return changed(created, {
    subject: pos.id,
    before: null,
    after: { mode: pos.mode, ...toldOf(pos) },
  })
}

/** `GET /operator/v1/pos`, oldest first. */
export const listAllPointsOfSale: OperatorHandler<'listPointsOfSale'> = async ({ env }) =>
  reply({ pointsOfSale: (await listPointsOfSale(env.DB)).map(represent) })

/**
 * `POST /operator/v1/pos/{id}/disable`: its keys and tokens stop within two minutes; its jobs are
 * still finished.
 */
export const disablePos: OperatorHandler<'disablePointOfSale'> = async ({ env, params: { id } }) => {
  const before = await profileById(env.DB, id)
  const found = await publishAfter(env, [{ pos: id }], () => disablePointOfSale(env.DB, id, Date.now()))
  if (!found) return noPos(id)
  return changed(
    { id, disabled: true },
    {
      subject: id,
      before: before && { disabled: before.disabledAt !== null },
      after: { disabled: true },
    },
  )
}

/**
 * `POST /operator/v1/pos/{id}/enable`: its API keys work again at once. Its tokens have ended; it
 * fetches a new one.
 */
export const enablePos: OperatorHandler<'enablePointOfSale'> = async ({ env, params: { id } }) => {
  const before = await profileById(env.DB, id)
  const found = await publishAfter(env, [{ pos: id }], () => enablePointOfSale(env.DB, id, Date.now()))
  if (!found) return noPos(id)
  return changed(
    { id, disabled: false },
    {
      subject: id,
      before: before && { disabled: before.disabledAt !== null },
      after: { disabled: false },
    },
  )
}

/**
 * `POST /operator/v1/pos/{id}`: another name, or signed returns on or off. Live everywhere within
 * two minutes.
 */
export const changePos: OperatorHandler<'changePointOfSale'> = async ({ env, params: { id }, body }) => {
  const before = await profileById(env.DB, id)
  const pos = await publishAfter(env, [{ pos: id }], () => changePointOfSale(env.DB, id, body))
  if (!pos) return noPos(id)
  return changed(represent(pos), {
    subject: id,
    before: before && toldOf(before.profile),
    after: toldOf(pos),
  })
}

/** What the audit log tells of a point of sale. */
function toldOf({ name = '', signReturn }: { name?: string; signReturn: boolean }) {
  return { name, signReturn }
}

function represent({ id, name, mode, signReturn, createdAt, disabledAt }: PosRow): PointOfSale {
  return {
    id,
    name,
    mode,
    signReturn,
    created: new Date(createdAt).toISOString(),
    disabled: disabledAt === null ? null : new Date(disabledAt).toISOString(),
  }
}
