// What the build makes of src/job/rules/why/why.ts.
export { why } from '../job/rules/why/why.ts'
