/** Words that a program does not understand. Its message is one line; the exit code is 2. */
export class UsageError extends Error {}

/** A word as a message shows it: in quotes, and on one line whatever is in it. */
export function quoted(word: string): string {
  return JSON.stringify(word)
}
