import { OPERATOR_OPERATIONS } from '../contract/operator-operations.ts'
import { entranceOf } from '../platform/http/operations.ts'
import { exportJobs } from './job-export.ts'
import { showFigures } from './figures.ts'
import { listDays, rebuildIndex, verifyIndex } from './index-repair.ts'
import { cancelJob, pullJob, refundJob } from './job-actions.ts'
import { listJobs } from './job-list.ts'
import { watchJobEvents, resendReport, showJob, showJournal } from './jobs.ts'
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
import { addKey, revokeKeys, rotateSecret } from './keys.ts'
import { changePos, createPointOfSale, disablePos, enablePos, listAllPointsOfSale } from './points-of-sale.ts'
import { showAlerts, showAlertSecret, testAlert } from './alerts.ts'
import { listFailing } from './failing-reports.ts'
import { showHealth } from './health.ts'
import { showSettings } from './settings.ts'
import { beginSession, endThisSession, showMe } from './sessions.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'
import { listUndelivered, resendUndelivered, showRetention } from './undelivered-reports.ts'
import type { AnyOperatorHandler, OperatorHandlers } from './handler.ts'
import { refuseOthers, serveOperator } from './permission.ts'

const HANDLERS: OperatorHandlers = {
  showMe,
  listOperatorTokens: listTokens,
  createOperatorToken: createToken,
  revokeOperatorToken: revokeToken,
  beginSession,
  endSession: endThisSession,
  createPointOfSale,
  listPointsOfSale: listAllPointsOfSale,
  changePointOfSale: changePos,
  disablePointOfSale: disablePos,
  enablePointOfSale: enablePos,
  addApiKey: addKey,
  revokeApiKeys: revokeKeys,
  rotateSigningSecret: rotateSecret,
  listPaymentRoutes: listRoutes,
  changePaymentRoute: changeRoute,
  listPsps,
  listAccounts: listPspAccounts,
  addAccount: addPspAccount,
  replaceCredentials: rekeyPspAccount,
  checkAccount: checkPspAccount,
  removeAccount: removePspAccount,
  showSealing,
  rotateSealing,
  searchJobs: listJobs,
  exportJobs,
  showJob,
  showJournal,
  watchJob: watchJobEvents,
  resendReport,
  refundJob,
  cancelJob,
  pullJob,
  listUndeliveredReports: listUndelivered,
  resendUndeliveredReports: resendUndelivered,
  listFailingReports: listFailing,
  listIndexDays: listDays,
  verifyIndexDay: verifyIndex,
  rebuildIndexDay: rebuildIndex,
  showFigures,
  showRetention,
  showHubHealth: showHealth,
  showSettings,
  listAlerts: showAlerts,
  testAlert,
  showAlertSecret,
  listAudit,
  verifyAudit,
  exportAudit,
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `OperatorHandlers` has checked each handler against its own row
const BY_NAME = HANDLERS as unknown as Readonly<Record<string, AnyOperatorHandler>>

/** The operator API. What it does not serve is told to operators alone. */
export const operatorApi = entranceOf(
  OPERATOR_OPERATIONS,
  (row, name, request, context) => {
    const handler = BY_NAME[name]
    if (!handler) throw new Error(`no handler for ${name}`)
    return serveOperator(row, handler, request, context)
  },
  { below: '/operator/*', guard: refuseOthers },
)
