// What the build makes of src/monitoring/watch-all.ts.
export { watchAll } from '../monitoring/watch-all.ts'
