/**
 * Modules beside the Worker's own, which `npm run build:site` makes (src/tools/site/modules.ts) and the runtime loads when something
 * first needs one. Most requests show no page, ask no why, play no sandbox and watch nothing, so the Worker starts without them. Each has copies
 * of what it shares with the Worker: no state may be in those but what is looked up from outside, as src/platform/request-context.ts does. That of
 * src/weather/ is in its module alone.
 */
export const loadCheckoutPages = () => import('./checkout-pages.mjs')
export const loadConsole = () => import('./console.mjs')
export const loadSandbox = () => import('./sandbox.mjs')
export const loadWatch = () => import('./watch.mjs')
export const loadWeather = () => import('./weather.mjs')
export const loadWeatherReport = () => import('./weather-report.mjs')
export const loadWhy = () => import('./why.mjs')
