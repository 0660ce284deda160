import { POS_OPERATIONS } from '../contract/pos-operations.ts'
import { entranceOf, reply } from '../platform/http/operations.ts'
import {
  advancePaymentJob,
  cancelPaymentJob,
  createCapture,
  createRefund,
  listCaptures,
  listRefunds,
  releasePaymentJob,
} from './change-payment-job.ts'
import { retrievePaymentJob, listPaymentJobs } from './read-payment-jobs.ts'
import { createPaymentJob } from './create-payment-job.ts'
import { type AnyPosHandler, type PosHandlers, type PosHandler, servePos } from './handler.ts'
import { countLookup, noCredentials, refuseKey } from './authenticate.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { formatWithOffset } from '../contract/timestamp.ts'
import { bearerOf } from '../platform/http/headers.ts'
import { profileByKey } from '../registry/profiles.ts'
import { issueToken } from '../registry/access-token.ts'
import { listPaymentMethods } from './payment-methods.ts'
import { listTerminals } from './terminals.ts'
import { listFailingReports, listReports, resendReport } from './reports.ts'
import { listenToReports } from './listen-to-reports.ts'

const createToken: PosHandler<'createToken'> = async ({ request, env }) => {
  const key = bearerOf(request)
  if (key === null) return noCredentials(request, 'the API key of the point of sale', 'api-key-invalid')
  const hash = await sha256(key)
  const counted = await countLookup(request, env, key, hash)
  if (!counted.ok) return counted
  const profile = await profileByKey(env.DB, hash)
  if (!profile) return refuseKey(env, hash)
  const { token, expires } = await issueToken(env.TOKENS, profile, hash, Date.now())
  return reply({ token, expiration: expires, expiration_datetime: formatWithOffset(expires) })
}

const HANDLERS: PosHandlers = {
  createToken,
  createTokenBelowApi: createToken,
  listPaymentMethods,
  listTerminals,
  listPaymentJobs,
  createPaymentJob,
  getPaymentJob: retrievePaymentJob,
  cancelPaymentJob,
  advancePaymentJob,
  createCapture,
  listCaptures,
  releasePaymentJob,
  createRefund,
  listRefunds,
  listReports,
  resendReport,
  listFailingReports,
  listenToReports,
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `PosHandlers` has checked each handler against its own row
const BY_NAME = HANDLERS as unknown as Readonly<Record<string, AnyPosHandler>>

export const posApi = entranceOf(POS_OPERATIONS, BY_NAME, servePos)
