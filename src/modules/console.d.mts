// What the build makes of src/console/serve.tsx.
export { serveConsole } from '../console/serve.tsx'
