/** How accounts take orders, for operators and for everybody: a module of its own (src/modules/load.ts). */
export { publishWeather } from '../registry/weather-copy.ts'
export { weatherPage } from './page.tsx'
export { weatherReport } from './report.ts'
