import { toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { Health } from '../../../health/contract/health.ts'
import * as accounts from '../../../operator-api/contract/accounts.ts'
import * as alerts from '../../../operator-api/contract/alerts.ts'
import * as health from '../../../operator-api/contract/health.ts'
import * as audit from '../../../operator-api/contract/audit.ts'
import * as figures from '../../../operator-api/contract/figures.ts'
import * as index from '../../../operator-api/contract/job-index.ts'
import * as jobs from '../../../operator-api/contract/jobs.ts'
import * as operators from '../../../operator-api/contract/operators.ts'
import * as pointsOfSale from '../../../operator-api/contract/points-of-sale.ts'
import { Move, Why } from '../../../operator-api/contract/why.ts'
import * as reports from '../../../operator-api/contract/undelivered-reports.ts'
import * as requests from '../../../operator-api/requests.ts'
import { ListedPaymentJob, PaymentJobList } from '../../../pos-api/contract/job-list.ts'
import { NewPaymentJob } from '../../../pos-api/contract/new-payment-job.ts'
import { CreatedPaymentJob, PaymentJob, Step } from '../../../pos-api/contract/payment-job.ts'
import { MethodLimit, PaymentMethods, UsableMethod } from '../../../pos-api/contract/payment-methods.ts'
import { InvalidField, Problem } from '../../../pos-api/contract/problem.ts'
import { Advance } from '../../../pos-api/contract/advance.ts'
import { NewRefund, Refund, RefundList } from '../../../pos-api/contract/refund.ts'
import { Token } from '../../../pos-api/contract/token.ts'
import { Action, RefundStatus, Stage, Status } from '../../../pos-api/contract/values.ts'
import type { Json } from './operation.ts'
import { overrideAction, overridden } from './overrides.ts'
import { tidy } from './tidy.ts'

/** Every body of the API, by the name that it has in the document. */
const NAMED: Readonly<Record<string, v.GenericSchema>> = {
  Token,
  NewPaymentJob,
  CreatedPaymentJob,
  PaymentJob,
  Step,
  Status,
  Action,
  Stage,
  PaymentMethods,
  UsableMethod,
  MethodLimit,
  PaymentJobList,
  ListedPaymentJob,
  NewRefund,
  Advance,
  Refund,
  RefundList,
  RefundStatus,
  Problem,
  InvalidField,
  NewOperatorToken: requests.NewOperatorToken,
  ...operators,
  NewPointOfSale: requests.NewPointOfSale,
  ChangedPointOfSale: requests.ChangedPointOfSale,
  NewSigningSecret: requests.NewSigningSecret,
  NewPaymentRoute: requests.NewPaymentRoute,
  NewAccount: requests.NewAccount,
  NewCredentials: requests.NewCredentials,
  OperatorNewRefund: requests.NewRefund,
  ...pointsOfSale,
  ...accounts,
  ListedJob: jobs.ListedJob,
  OperatorJobList: jobs.JobList,
  JobStep: jobs.JobStep,
  JobReport: jobs.JobReport,
  JobRefund: jobs.JobRefund,
  JobDetail: jobs.JobDetail,
  Move,
  Why,
  ...reports,
  ...health,
  ...alerts,
  ...audit,
  ...index,
  Health,
  ...figures,
}

/** The schemas of the document, made from those that the hub and its clients are typed by. */
export function componentSchemas(): Record<string, Json> {
  const made = toJsonSchemaDefs(NAMED, {
    target: 'draft-2020-12',
    typeMode: 'input',
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideAction,
  })
  return Object.fromEntries(
    Object.entries(made).map(([name, schema]) => [name, overridden(name, tidy(schema))]),
  )
}
