import { type Entrance, routes } from '../platform/http/routes.ts'
import { sandboxApi } from '../psp/sandbox/routes.ts'
import { chooseOutcome, showCheckout } from './checkout.ts'
import { act } from './test-api.ts'

const pages = routes((table) =>
  table
    .post('/sandbox/payments/:id/:action', act)
    .get('/sandbox/checkout/:id', showCheckout)
    .post('/sandbox/checkout/:id', chooseOutcome),
)

/** The sandbox PSP: its API, its hosted checkout page, and what tests of shops let happen. */
export const sandbox: Entrance = (request, env) =>
  (new URL(request.url).pathname.startsWith('/sandbox/v2/') ? sandboxApi : pages)(request, env)
