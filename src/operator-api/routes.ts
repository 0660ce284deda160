import { routes } from '../platform/http/routes.ts'
import { exportJobs } from './job-export.ts'
import { showFigures } from './figures.ts'
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
import { exportAudit, listAudit, verifyAudit } from './audit.ts'
import { rotateSealing, showSealing } from './sealing.ts'
import { addKey, revokeKeys } from './keys.ts'
import { rotateSecret } from './signing-secrets.ts'
import { change, refuseOthers, see } from './permission.ts'
import { changePos, createPointOfSale, disablePos, enablePos, listAllPointsOfSale } from './points-of-sale.ts'
import { showAlertSecret, showAlerts, testAlert } from './alerts.ts'
import { listFailing } from './failing-reports.ts'
import { showHealth } from './health.ts'
import { showSettings } from './settings.ts'
import { beginSession, endThisSession, showMe } from './sessions.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'
import { listUndelivered, resendUndelivered, showRetention } from './undelivered-reports.ts'

/** The operator API. */
export const operatorApi = routes((table) =>
  table
    .get('/operator/v1/me', see(showMe))
    .get('/operator/v1/tokens', see(listTokens, 'operator'))
    .post('/operator/v1/tokens', change('operator', 'token.create', createToken, ['name', 'role']))
    .post('/operator/v1/tokens/:id/revoke', change('operator', 'token.revoke', revokeToken))
    .post('/operator/v1/sessions', change('viewer', 'session.begin', beginSession))
    .post('/operator/v1/sessions/end', change('viewer', 'session.end', endThisSession))
    .post(
      '/operator/v1/pos',
      change('operator', 'pos.create', createPointOfSale, ['name', 'mode', 'signReturn']),
    )
    .get('/operator/v1/pos', see(listAllPointsOfSale))
    .post('/operator/v1/pos/:id', change('operator', 'pos.update', changePos, ['name', 'signReturn']))
    .post('/operator/v1/pos/:id/disable', change('operator', 'pos.disable', disablePos))
    .post('/operator/v1/pos/:id/enable', change('operator', 'pos.enable', enablePos))
    .post('/operator/v1/pos/:id/keys', change('operator', 'pos.rekey', addKey))
    .post('/operator/v1/pos/:id/keys/revoke', change('operator', 'pos.revoke', revokeKeys))
    .post(
      '/operator/v1/pos/:id/secret',
      change('operator', 'pos.resecret', rotateSecret, ['overlapHours', 'again']),
    )
    .get('/operator/v1/pos/:id/routes', see(listRoutes))
    .post(
      '/operator/v1/pos/:id/routes',
      change('operator', 'pos.route', changeRoute, ['paymentMethod', 'accounts']),
    )
    .get('/operator/v1/psps', see(listPsps))
    .get('/operator/v1/accounts', see(listPspAccounts))
    .post('/operator/v1/accounts', change('operator', 'psp.add', addPspAccount, ['id', 'psp', 'mode']))
    .post('/operator/v1/accounts/:id/credentials', change('operator', 'psp.rekey', rekeyPspAccount))
    .post('/operator/v1/accounts/:id/check', change('support', 'psp.check', checkPspAccount))
    .post('/operator/v1/accounts/:id/remove', change('operator', 'psp.remove', removePspAccount, ['force']))
    .get('/operator/v1/sealing', see(showSealing))
    .post('/operator/v1/sealing/rotate', change('operator', 'keys.rotate', rotateSealing, ['after']))
    .get('/operator/v1/jobs', see(listJobs))
    .get('/operator/v1/jobs/export', see(exportJobs))
    .get('/operator/v1/jobs/:id', see(showJob))
    .get('/operator/v1/jobs/:id/events', see(watchJobEvents))
    .post('/operator/v1/jobs/:id/resend', change('support', 'report.resend', resendReport))
    .post('/operator/v1/jobs/:id/refunds', change('operator', 'job.refund', refundJob, ['id', 'amount']))
    .post('/operator/v1/jobs/:id/cancel', change('operator', 'job.cancel', cancelJob))
    .post('/operator/v1/jobs/:id/pull', change('support', 'job.pull', pullJob))
    .get('/operator/v1/reports/undelivered', see(listUndelivered))
    .post(
      '/operator/v1/reports/resend',
      change('support', 'report.resend-all', resendUndelivered, ['from', 'to']),
    )
    .get('/operator/v1/index/days', see(listDays))
    .get('/operator/v1/index/:day/verify', see(verifyIndex))
    .get('/operator/v1/reports/failing', see(listFailing))
    .get('/operator/v1/health', see(showHealth))
    .get('/operator/v1/settings', see(showSettings))
    .get('/operator/v1/alerts', see(showAlerts))
    .post('/operator/v1/alerts/test', change('support', 'alert.test', testAlert))
    .post('/operator/v1/alerts/secret', change('operator', 'alert.secret', showAlertSecret))
    .get('/operator/v1/figures', see(showFigures))
    .post('/operator/v1/index/:day/rebuild', change('operator', 'index.rebuild', rebuildIndex, ['after']))
    .get('/operator/v1/audit', see(listAudit))
    .get('/operator/v1/audit/verify', see(verifyAudit))
    .get('/operator/v1/audit/export', see(exportAudit))
    .get('/operator/v1/retention', see(showRetention))
    // What is not served is told to operators alone.
    .guard('/operator/*', refuseOthers),
)
