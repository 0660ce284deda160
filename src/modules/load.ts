/**
 * Modules beside the Worker's own, which `npm run build:site` makes (src/tools/site/modules.ts) and the runtime loads when something
 * first needs one. Most requests show no page, ask no why, play no sandbox and watch nothing, so the Worker starts without them. Each has copies
 * of what it shares with the Worker: no state may be in those but what is looked up from outside, as src/platform/request-context.ts does. That of
 * src/weather/ is in its module alone.
 */
export function loadCheckoutPages() {
  return import('./checkout-pages.mjs')
}
export function loadConsole() {
  return import('./console.mjs')
}
export function loadSandbox() {
  return import('./sandbox.mjs')
}
export function loadWatch() {
  return import('./watch.mjs')
}
export function loadWeather() {
  return import('./weather.mjs')
}
export function loadWeatherReport() {
  return import('./weather-report.mjs')
}
export function loadWhy() {
  return import('./why.mjs')
}
