/** How accounts take orders, for operators and for everybody: a module of its own (src/modules/load.ts). */
export { publishWeather } from '../storage/kv/weather-copy.ts'
export { weatherPage } from './page.tsx'
export { weatherReport } from './report.ts'
