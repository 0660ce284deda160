import { routes } from '../http/routes.ts'
import { listDays, rebuildIndex, verifyIndex } from './index-repair.ts'
import { cancelJob, pullJob, refundJob } from './job-actions.ts'
import { listJobs } from './job-list.ts'
import { watchJobEvents } from './job-events.ts'
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
import { change, see } from './permission.ts'
import { changePos, createPointOfSale, disablePos, enablePos, listAllPointsOfSale } from './points-of-sale.ts'
import { listUndelivered, resendUndelivered, showRetention } from './undelivered-reports.ts'

/** The operator API. */
export const operatorApi = routes((table) =>
  table
    .post('/operator/v1/pos', change('operator', 'pos.create', createPointOfSale))
    .get('/operator/v1/pos', see(listAllPointsOfSale))
    .post('/operator/v1/pos/:id', change('operator', 'pos.update', changePos))
    .post('/operator/v1/pos/:id/disable', change('operator', 'pos.disable', disablePos))
    .post('/operator/v1/pos/:id/enable', change('operator', 'pos.enable', enablePos))
    .post('/operator/v1/pos/:id/keys', change('operator', 'pos.rekey', addKey))
    .post('/operator/v1/pos/:id/keys/revoke', change('operator', 'pos.revoke', revokeKeys))
    .post('/operator/v1/pos/:id/secret', change('operator', 'pos.resecret', rotateSecret))
    .get('/operator/v1/pos/:id/routes', see(listRoutes))
    .post('/operator/v1/pos/:id/routes', change('operator', 'pos.route', changeRoute))
    .get('/operator/v1/psps', see(listPsps))
    .get('/operator/v1/accounts', see(listPspAccounts))
    .post('/operator/v1/accounts', change('operator', 'psp.add', addPspAccount))
    .post('/operator/v1/accounts/:id/credentials', change('operator', 'psp.rekey', rekeyPspAccount))
    .post('/operator/v1/accounts/:id/check', change('support', 'psp.check', checkPspAccount))
    .post('/operator/v1/accounts/:id/remove', change('operator', 'psp.remove', removePspAccount))
    .get('/operator/v1/sealing', see(showSealing))
    .post('/operator/v1/sealing/rotate', change('operator', 'keys.rotate', rotateSealing))
    .get('/operator/v1/jobs', see(listJobs))
    .get('/operator/v1/jobs/:id', see(showJob))
    .get('/operator/v1/jobs/:id/events', see(watchJobEvents))
    .post('/operator/v1/jobs/:id/resend', change('support', 'report.resend', resendReport))
    .post('/operator/v1/jobs/:id/refunds', change('operator', 'job.refund', refundJob))
    .post('/operator/v1/jobs/:id/cancel', change('operator', 'job.cancel', cancelJob))
    .post('/operator/v1/jobs/:id/pull', change('support', 'job.pull', pullJob))
    .get('/operator/v1/reports/undelivered', see(listUndelivered))
    .post('/operator/v1/reports/resend', change('support', 'report.resend-all', resendUndelivered))
    .get('/operator/v1/index/days', see(listDays))
    .get('/operator/v1/index/:day/verify', see(verifyIndex))
    .post('/operator/v1/index/:day/rebuild', change('operator', 'index.rebuild', rebuildIndex))
    .get('/operator/v1/retention', see(showRetention)),
)
