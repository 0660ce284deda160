import { door } from '../http/door.ts'
import { listDays, rebuild, verify } from './index-repair.ts'
import { listJobs } from './job-list.ts'
import { resendReport, showJob } from './jobs.ts'
import { addKey, revokeKeys, rotateSecret } from './keys.ts'
import { authenticateOperator } from './operator.ts'
import { createPointOfSale, disable, listAll } from './points-of-sale.ts'
import { listUndelivered, resendUndelivered, showRetention } from './undelivered.ts'

/** The operator API. */
export const consoleDoor = door((router) =>
  router
    .all('/operator/*', authenticateOperator)
    .post('/operator/v1/pos', createPointOfSale)
    .get('/operator/v1/pos', listAll)
    .post('/operator/v1/pos/:id/disable', disable)
    .post('/operator/v1/pos/:id/keys', addKey)
    .post('/operator/v1/pos/:id/keys/revoke', revokeKeys)
    .post('/operator/v1/pos/:id/secret', rotateSecret)
    .get('/operator/v1/jobs', listJobs)
    .get('/operator/v1/jobs/:id', showJob)
    .post('/operator/v1/jobs/:id/resend', resendReport)
    .get('/operator/v1/reports/undelivered', listUndelivered)
    .post('/operator/v1/reports/resend', resendUndelivered)
    .get('/operator/v1/index/days', listDays)
    .get('/operator/v1/index/:day/verify', verify)
    .post('/operator/v1/index/:day/rebuild', rebuild)
    .get('/operator/v1/retention', showRetention),
)
