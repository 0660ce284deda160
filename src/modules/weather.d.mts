// What the build makes of src/weather/announce-order.ts.
export * from '../weather/announce-order.ts'
