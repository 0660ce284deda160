import { door } from '../http/routes.ts'
import { receive } from './receive.ts'

/** What PSPs call. */
export const notifications = door((router) => router.post('/notifications/:account?/:job?', receive))
