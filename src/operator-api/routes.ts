import { routes } from '../http/routes.ts'
import { listDays, rebuildIndex, verifyIndex } from './index-repair.ts'
import { cancelJob, pullJob, refundJob } from './job-actions.ts'
import { listJobs } from './job-list.ts'
import { resendReport, showJob } from './jobs.ts'
import {
  addPspAccount,
  checkPspAccount,
  listPspAccounts,
  rekeyPspAccount,
  removePspAccount,
} from './accounts.ts'
import { listPsps } from './psps.ts'
import { changeRoute, listRoutes } from './payment-routes.ts'
import { rotateSealing, showSealing } from './sealing.ts'
import { addKey, revokeKeys } from './keys.ts'
import { rotateSecret } from './signing-secrets.ts'
import { authenticateOperator } from './authenticate.ts'
import { changePos, createPointOfSale, disablePos, enablePos, listAllPointsOfSale } from './points-of-sale.ts'
import { listUndelivered, resendUndelivered, showRetention } from './undelivered-reports.ts'

/** The operator API. */
export const operatorApi = routes((table) =>
  table
    .guard('/operator/*', authenticateOperator)
    .post('/operator/v1/pos', createPointOfSale)
    .get('/operator/v1/pos', listAllPointsOfSale)
    .post('/operator/v1/pos/:id', changePos)
    .post('/operator/v1/pos/:id/disable', disablePos)
    .post('/operator/v1/pos/:id/enable', enablePos)
    .post('/operator/v1/pos/:id/keys', addKey)
    .post('/operator/v1/pos/:id/keys/revoke', revokeKeys)
    .post('/operator/v1/pos/:id/secret', rotateSecret)
    .get('/operator/v1/pos/:id/routes', listRoutes)
    .post('/operator/v1/pos/:id/routes', changeRoute)
    .get('/operator/v1/psps', listPsps)
    .get('/operator/v1/accounts', listPspAccounts)
    .post('/operator/v1/accounts', addPspAccount)
    .post('/operator/v1/accounts/:id/credentials', rekeyPspAccount)
    .post('/operator/v1/accounts/:id/check', checkPspAccount)
    .post('/operator/v1/accounts/:id/remove', removePspAccount)
    .get('/operator/v1/sealing', showSealing)
    .post('/operator/v1/sealing/rotate', rotateSealing)
    .get('/operator/v1/jobs', listJobs)
    .get('/operator/v1/jobs/:id', showJob)
    .post('/operator/v1/jobs/:id/resend', resendReport)
    .post('/operator/v1/jobs/:id/refunds', refundJob)
    .post('/operator/v1/jobs/:id/cancel', cancelJob)
    .post('/operator/v1/jobs/:id/pull', pullJob)
    .get('/operator/v1/reports/undelivered', listUndelivered)
    .post('/operator/v1/reports/resend', resendUndelivered)
    .get('/operator/v1/index/days', listDays)
    .get('/operator/v1/index/:day/verify', verifyIndex)
    .post('/operator/v1/index/:day/rebuild', rebuildIndex)
    .get('/operator/v1/retention', showRetention),
)
