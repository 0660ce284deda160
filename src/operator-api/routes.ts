import { OPERATOR_OPERATIONS } from '../contract/operator-operations.ts'
import { addOperations } from '../platform/http/operations.ts'
import { routes } from '../platform/http/routes.ts'
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
import { type OperatorHandler, refuseOthers, serveOperator } from './serve.ts'

/** The handlers by operation. A missing one does not compile. */
const HANDLERS: { [Name in keyof typeof OPERATOR_OPERATIONS]: OperatorHandler<Name> } = {
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

/** The operator API. Only operators learn that an address does not exist. */
export const operatorApi = routes((router) => {
  addOperations(router, OPERATOR_OPERATIONS, HANDLERS, serveOperator)
  router.guard('/operator/*', refuseOthers)
})
