/** What a program imports of the client: the package's `./client`, and the hub's `/client.js`. */
export { createHub } from './create-hub.ts'
export { HubError } from './hub-error.ts'
export { ReportError } from './report-error.ts'
export { verifyReport } from './verify-report.ts'
