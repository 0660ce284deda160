import * as checkoutPages from '../../src/checkout/pages.ts'
import * as console from '../../src/console/serve.tsx'
import * as why from '../../src/job/rules/why/why.ts'
import type * as modules from '../../src/modules/load.ts'
import * as sandbox from '../../src/sandbox/routes.ts'
import * as watch from '../../src/monitoring/watch-all.ts'
import * as weather from '../../src/job/announce-order.ts'
import * as weatherReport from '../../src/weather-report/serve.ts'

/**
 * Stands for src/modules/load.ts in workerd's tests: what the build makes of these files is tested as it is written. Vitest's pool asks
 * Vite's server at each dynamic import, and two objects that ask for the same module at once share a promise, which the runtime forbids.
 */
export const loadCheckoutPages: typeof modules.loadCheckoutPages = async () => checkoutPages
export const loadConsole: typeof modules.loadConsole = async () => console
export const loadSandbox: typeof modules.loadSandbox = async () => sandbox
export const loadWatch: typeof modules.loadWatch = async () => watch
export const loadWeather: typeof modules.loadWeather = async () => weather
export const loadWeatherReport: typeof modules.loadWeatherReport = async () => weatherReport
export const loadWhy: typeof modules.loadWhy = async () => why
