/** The customer's pages: a module of their own (src/modules/load.ts). */
export { tooManyPage, unknownPage, unreachablePage } from './dead-ends.tsx'
export { jobPage } from './job-page.tsx'
export { connectingPage, waitingPage } from './waiting-page.tsx'
