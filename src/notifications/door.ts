import { door } from '../http/door.ts'
import { receive } from './receive.ts'

/** What PSPs call. */
export const notificationsDoor = door((router) => router.post('/notifications/:account?/:job?', receive))
