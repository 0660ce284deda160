// The module that `npm run build:site` makes of serve.tsx.
export { serveConsole } from './serve.tsx'
