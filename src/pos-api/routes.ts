import { OPEN_OPERATIONS, SIGNED_OPERATIONS } from '../contract/pos-operations.ts'
import { addOperations, reply } from '../platform/http/operations.ts'
import { routes } from '../platform/http/routes.ts'
import * as changePaymentJob from './change-payment-job.ts'
import * as createPaymentJob from './create-payment-job.ts'
import { type OpenHandler, type PosHandler, serveOpen, servePos } from './handler.ts'
import { countLookup, noCredentials, refuseKey } from './authenticate.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { formatWithOffset } from '../contract/timestamp.ts'
import { bearerOf } from '../platform/http/headers.ts'
import { callerByKey } from '../registry/profiles.ts'
import { issueToken } from '../registry/access-token.ts'
import * as paymentMethods from './payment-methods.ts'
import * as readPaymentJobs from './read-payment-jobs.ts'
import * as reports from './reports.ts'
import * as terminals from './terminals.ts'
import { listenToReports } from './listen-to-reports.ts'

const createToken: OpenHandler<'createToken' | 'createTokenBelowApi'> = async ({ request, env }) => {
  const key = bearerOf(request)
  if (key === null) return noCredentials(request, 'the API key of the point of sale', 'api-key-invalid')
  const hash = await sha256(key)
  const counted = await countLookup(request, env, key, hash)
  if (!counted.ok) return counted
  const now = Date.now()
  const caller = await callerByKey(env.DB, hash, now)
  if (!caller) return refuseKey(env, hash)
  const { token, expires } = await issueToken(env, caller, hash, now)
  return reply({ token, expiration: expires, expiration_datetime: formatWithOffset(expires) })
}

const OPEN: { [Name in keyof typeof OPEN_OPERATIONS]: OpenHandler<Name> } = {
  createToken,
  createTokenBelowApi: createToken,
  listenToReports,
}

/** The handlers by operation. A missing one does not compile. */
const SIGNED: { [Name in keyof typeof SIGNED_OPERATIONS]: PosHandler<Name> } = {
  ...changePaymentJob,
  ...createPaymentJob,
  ...paymentMethods,
  ...readPaymentJobs,
  ...reports,
  ...terminals,
}

export const posApi = routes((router) => {
  addOperations(router, OPEN_OPERATIONS, OPEN, serveOpen)
  addOperations(router, SIGNED_OPERATIONS, SIGNED, servePos)
})
