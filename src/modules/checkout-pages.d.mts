// What the build makes of src/checkout/pages.ts.
export * from '../checkout/pages.ts'
