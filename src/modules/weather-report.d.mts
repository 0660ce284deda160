// What the build makes of src/weather-report/serve.ts.
export * from '../weather-report/serve.ts'
