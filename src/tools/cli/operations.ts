import * as v from 'valibot'
import {
  Account,
  AccountChecked,
  AccountList,
  AccountRemoved,
  CredentialsReplaced,
  PspList,
  SealingRotated,
  SealingStatus,
} from '../../operator-api/contract/accounts.ts'
import { AlertList, AlertSecret, AlertTested } from '../../operator-api/contract/alerts.ts'
import { AuditList, AuditVerified } from '../../operator-api/contract/audit.ts'
import { Figures } from '../../operator-api/contract/figures.ts'
import { FailingReports, HubHealth, Settings } from '../../operator-api/contract/health.ts'
import { IndexDays, IndexPage, Retention } from '../../operator-api/contract/job-index.ts'
import { JobDetail, JobList, JobRefund } from '../../operator-api/contract/jobs.ts'
import {
  Me,
  OperatorToken,
  OperatorTokenCreated,
  OperatorTokenList,
} from '../../operator-api/contract/operators.ts'
import {
  ApiKeyAdded,
  ApiKeysRevoked,
  NewPointOfSaleCreated,
  PaymentRouteList,
  PointOfSale,
  PointOfSaleDisabled,
  PointOfSaleEnabled,
  PointOfSaleList,
  SigningSecretRotated,
} from '../../operator-api/contract/points-of-sale.ts'
import { ReportsResent, UndeliveredReportList } from '../../operator-api/contract/undelivered-reports.ts'
import {
  ChangedPointOfSale,
  NewAccount,
  NewCredentials,
  NewOperatorToken,
  NewPaymentRoute,
  NewPointOfSale,
  NewRefund,
  NewSigningSecret,
} from '../../operator-api/requests.ts'

/** What an export or a stream of events answers: no JSON, so it is read part by part. */
const PARTS = v.never()

/** The operations of the operator API that commands ask for, by name. */
export const OPERATIONS = {
  showMe: look('/me', Me),
  listOperatorTokens: look('/tokens', OperatorTokenList),
  createOperatorToken: change('/tokens', OperatorTokenCreated, NewOperatorToken),
  revokeOperatorToken: change('/tokens/:id/revoke', OperatorToken),

  createPointOfSale: change('/pos', NewPointOfSaleCreated, NewPointOfSale),
  listPointsOfSale: look('/pos', PointOfSaleList),
  changePointOfSale: change('/pos/:id', PointOfSale, ChangedPointOfSale),
  disablePointOfSale: change('/pos/:id/disable', PointOfSaleDisabled),
  enablePointOfSale: change('/pos/:id/enable', PointOfSaleEnabled),
  addApiKey: change('/pos/:id/keys', ApiKeyAdded),
  revokeApiKeys: change('/pos/:id/keys/revoke', ApiKeysRevoked),
  rotateSigningSecret: change('/pos/:id/secret', SigningSecretRotated, NewSigningSecret),
  listPaymentRoutes: look('/pos/:id/routes', PaymentRouteList),
  changePaymentRoute: change('/pos/:id/routes', PaymentRouteList, NewPaymentRoute),

  listPsps: look('/psps', PspList),
  listAccounts: look('/accounts', AccountList),
  addAccount: change('/accounts', Account, NewAccount),
  replaceCredentials: change('/accounts/:id/credentials', CredentialsReplaced, NewCredentials),
  checkAccount: change('/accounts/:id/check', AccountChecked),
  removeAccount: change('/accounts/:id/remove', AccountRemoved),
  showSealing: look('/sealing', SealingStatus),
  rotateSealing: change('/sealing/rotate', SealingRotated),

  searchJobs: look('/jobs', JobList),
  exportJobs: look('/jobs/export', PARTS),
  showJob: look('/jobs/:id', JobDetail),
  watchJob: look('/jobs/:id/events', PARTS),
  resendReport: change('/jobs/:id/resend', JobDetail),
  refundJob: change('/jobs/:id/refunds', JobRefund, NewRefund),
  cancelJob: change('/jobs/:id/cancel', JobDetail),
  pullJob: change('/jobs/:id/pull', JobDetail),

  listFailingReports: look('/reports/failing', FailingReports),
  listUndeliveredReports: look('/reports/undelivered', UndeliveredReportList),
  resendUndeliveredReports: change('/reports/resend', ReportsResent),

  listIndexDays: look('/index/days', IndexDays),
  verifyIndexDay: look('/index/:day/verify', IndexPage),
  rebuildIndexDay: change('/index/:day/rebuild', IndexPage),
  showFigures: look('/figures', Figures),
  showRetention: look('/retention', Retention),

  showHubHealth: look('/health', HubHealth),
  showSettings: look('/settings', Settings),
  listAlerts: look('/alerts', AlertList),
  testAlert: change('/alerts/test', AlertTested),
  showAlertSecret: change('/alerts/secret', AlertSecret),

  listAudit: look('/audit', AuditList),
  verifyAudit: look('/audit/verify', AuditVerified),
  exportAudit: look('/audit/export', PARTS),
} as const

export type OperationName = keyof typeof OPERATIONS
type Row<Name extends OperationName> = (typeof OPERATIONS)[Name]

/** What an operation answers. */
export type AnswerOf<Name extends OperationName> = v.InferOutput<Row<Name>['answer']>

/** What is said to ask for an operation: the parameters of its path, its query, its body. */
export type InputOf<Name extends OperationName> = {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | undefined>>
  body?: Row<Name> extends { body: infer Body extends v.GenericSchema }
    ? v.InferInput<Body> | undefined
    : undefined
}

function look<Answer extends v.GenericSchema>(path: string, answer: Answer) {
  return { method: 'GET', path, answer } as const
}

function change<Answer extends v.GenericSchema, Body extends v.GenericSchema = never>(
  path: string,
  answer: Answer,
  body?: Body,
) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a body there is nothing to infer it from
  return { method: 'POST', path, answer, body: body as Body } as const
}

/** The address of an operation: its path with its parameters, and what of its query is given. */
export function addressOf<Name extends OperationName>(
  name: Name,
  { params = {}, query = {} }: InputOf<Name> = {},
): string {
  const path = OPERATIONS[name].path.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ''),
  )
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
  return `/operator/v1${path}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`
}
