import { door } from '../http/door.ts'
import { authenticateOperator } from './operator.ts'
import { createPointOfSale, disable, listAll } from './points-of-sale.ts'

/** The operator API. */
export const consoleDoor = door((router) =>
  router
    .all('/operator/*', authenticateOperator)
    .post('/operator/v1/pos', createPointOfSale)
    .get('/operator/v1/pos', listAll)
    .post('/operator/v1/pos/:id/disable', disable),
)
