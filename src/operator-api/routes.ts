import { OPERATOR_OPERATIONS } from '../contract/operator-operations.ts'
import { entranceOf } from '../platform/http/operations.ts'
import * as accounts from './accounts.ts'
import * as audit from './audit.ts'
import * as backup from './backup.ts'
import * as books from './books.ts'
import * as figures from './figures.ts'
import * as hubHealth from './hub-health.ts'
import * as indexRepair from './index-repair.ts'
import * as jobActions from './job-actions.ts'
import * as jobExport from './job-export.ts'
import * as jobSearch from './job-search.ts'
import * as jobs from './jobs.ts'
import * as operators from './operators.ts'
import * as paymentRoutes from './payment-routes.ts'
import * as pointsOfSale from './points-of-sale.ts'
import * as reports from './reports.ts'
import * as sealing from './sealing.ts'
import * as terminals from './terminals.ts'
import { type AnyOperatorHandler, type OperatorHandlers, refuseOthers, serveOperator } from './serve.ts'

/** The handlers, each under the name of its operation. */
const HANDLERS: OperatorHandlers = {
  ...accounts,
  ...audit,
  ...backup,
  ...books,
  ...figures,
  ...hubHealth,
  ...indexRepair,
  ...jobActions,
  ...jobExport,
  ...jobSearch,
  ...jobs,
  ...operators,
  ...paymentRoutes,
  ...pointsOfSale,
  ...reports,
  ...sealing,
  ...terminals,
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `OperatorHandlers` has checked each handler against its own row
const BY_NAME = HANDLERS as unknown as Readonly<Record<string, AnyOperatorHandler>>

/** The operator API. Only operators learn that an address does not exist. */
export const operatorApi = entranceOf(OPERATOR_OPERATIONS, BY_NAME, serveOperator, {
  below: '/operator/*',
  guard: refuseOthers,
})
