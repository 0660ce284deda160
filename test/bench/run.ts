/** A run as it was asked for, and where it tells of itself. */
export type Run = {
  quick: boolean
  /** Whether the documents get the figures. */
  write: boolean
  /** Of the work's choices: the same seed does the same work. */
  seed: number
  /** Progress, on standard error. */
  tell: (line: string) => void
  /** Text for people, on standard output. */
  show: (text: string) => void
  /** A JSON line for programs, on standard output. */
  line: (value: object) => void
}
