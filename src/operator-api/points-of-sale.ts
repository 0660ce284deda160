import * as v from 'valibot'
import { sha256 } from '../platform/crypto/hash.ts'
import { signingSecret } from '../platform/crypto/signing.ts'
import { randomHex } from '../platform/crypto/bytes.ts'
import { readJsonObject } from '../platform/http/body.ts'
import { json } from '../platform/http/respond.ts'
import type { Handler } from '../platform/http/routes.ts'
import { invalid } from '../platform/http/invalid.ts'
import {
  type PointOfSale as PosRow,
  addPointOfSale,
  changePointOfSale,
  disablePointOfSale,
  enablePointOfSale,
  listPointsOfSale,
} from '../registry/points-of-sale.ts'
import { profileById } from '../registry/profiles.ts'
import { publishAfter, publishNewKey } from '../registry/publish-after.ts'
import { newApiKey } from './api-key.ts'
import { type ChangeHandler, changed } from './changed.ts'
import { noPos } from './keys.ts'
import type {
  NewPointOfSaleCreated,
  PointOfSale,
  PointOfSaleDisabled,
  PointOfSaleEnabled,
  PointOfSaleList,
} from './contract/points-of-sale.ts'
import { ChangedPointOfSale, NewPointOfSale } from './requests.ts'

/** `POST /operator/v1/pos`: the only time that the API key is shown. */
export const createPointOfSale: ChangeHandler = async (request, { env }) => {
  const body = await readJsonObject(request)
  if (!body.ok) return body
  const wanted = v.safeParse(NewPointOfSale, body.value)
  if (!wanted.success) return invalid(wanted.issues)
  const pos: PosRow = {
    ...wanted.output,
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
  return changed(json(created satisfies NewPointOfSaleCreated, { status: 201 }), {
    subject: pos.id,
    before: null,
    after: { mode: pos.mode, ...toldOf(pos) },
  })
}

/** `GET /operator/v1/pos`, oldest first. */
export const listAllPointsOfSale: Handler = async (_, { env }) =>
  json({ pointsOfSale: (await listPointsOfSale(env.DB)).map(represent) } satisfies PointOfSaleList)

/** `POST /operator/v1/pos/{id}/disable`: its keys and tokens stop within two minutes; its jobs are still finished. */
export const disablePos: ChangeHandler<{ id: string }> = async (request, { env, params: { id } }) => {
  const before = await profileById(env.DB, id)
  const found = await publishAfter(env, [{ pos: id }], () => disablePointOfSale(env.DB, id, Date.now()))
  if (!found) return noPos(id)
  return changed(json({ id, disabled: true } satisfies PointOfSaleDisabled), {
    subject: id,
    before: before && { disabled: before.disabledAt !== null },
    after: { disabled: true },
  })
}

/** `POST /operator/v1/pos/{id}/enable`: its API keys work again at once. Its tokens have ended; it fetches a new one. */
export const enablePos: ChangeHandler<{ id: string }> = async (_, { env, params: { id } }) => {
  const before = await profileById(env.DB, id)
  const found = await publishAfter(env, [{ pos: id }], () => enablePointOfSale(env.DB, id, Date.now()))
  if (!found) return noPos(id)
  return changed(json({ id, disabled: false } satisfies PointOfSaleEnabled), {
    subject: id,
    before: before && { disabled: before.disabledAt !== null },
    after: { disabled: false },
  })
}

/** `POST /operator/v1/pos/{id}`: another name, or signed returns on or off. Live everywhere within two minutes. */
export const changePos: ChangeHandler<{ id: string }> = async (request, { env, params: { id } }) => {
  const body = await readJsonObject(request)
  if (!body.ok) return body
  const changes = v.safeParse(ChangedPointOfSale, body.value)
  if (!changes.success) return invalid(changes.issues)
  const before = await profileById(env.DB, id)
  const pos = await publishAfter(env, [{ pos: id }], () => changePointOfSale(env.DB, id, changes.output))
  if (!pos) return noPos(id)
  return changed(json(represent(pos)), {
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
