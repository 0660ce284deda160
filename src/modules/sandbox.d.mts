// What the build makes of src/sandbox/routes.ts.
export { sandbox } from '../sandbox/routes.ts'
