/**
 * Pages are modules beside the Worker's own, which `npm run build:site` makes (src/cli/site/modules.ts) and the runtime loads when
 * somebody first asks for one. Most requests show no page, so the Worker starts without them.
 */
export const loadCheckoutPages = () => import('./checkout-pages.mjs')
export const loadSandboxPages = () => import('./sandbox-pages.mjs')
export const loadConsole = () => import('./console.mjs')
