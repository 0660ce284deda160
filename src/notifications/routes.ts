import { routes } from '../platform/http/routes.ts'
import { receive } from './receive.ts'

export const notifications = routes((table) => table.post('/notifications/:account?/:job?', receive))
