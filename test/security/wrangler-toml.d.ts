/** A file as text, handed in by Vite. */
declare module '*?raw' {
  const text: string
  export default text
}
