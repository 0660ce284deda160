// What the build makes of src/sandbox/pages.tsx.
export * from '../sandbox/pages.tsx'
