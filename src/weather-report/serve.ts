/** How accounts take orders, for operators and for everybody: a module of its own (src/modules/load.ts). */
export { weatherPage } from './page.tsx'
export { weatherReport } from './report.ts'
