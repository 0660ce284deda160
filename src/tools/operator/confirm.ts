import { createInterface } from 'node:readline/promises'

/** Asks at a terminal, and goes on after a yes alone. A script has no terminal and is not asked: it says what it wants. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} (yes/no) `)
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    terminal.close()
  }
  throw new Error('Nothing was changed.')
}
