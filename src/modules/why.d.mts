// What the build makes of src/domain/why/why.ts.
export { why } from '../domain/why/why.ts'
