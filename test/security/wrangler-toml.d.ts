/** A file as text, provided by Vite. */
declare module '*?raw' {
  const text: string
  export default text
}
