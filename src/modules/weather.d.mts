// What the build makes of src/job/announce-order.ts.
export * from '../job/announce-order.ts'
