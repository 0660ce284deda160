import { vi } from 'vitest'
import { HUB } from '../../../src/tools/cli/commands.ts'
import { runWords } from '../../../src/tools/program.ts'

/**
 * Runs the operator's CLI in this process. Gives back its exit code and what it printed, line by
 * line.
 */
export async function runHub(words: readonly string[]) {
  const out = vi.spyOn(console, 'log').mockImplementation(() => {})
  const err = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const code = await runWords(HUB, words)
    const linesOf = ({ mock }: typeof out) => mock.calls.flatMap(([text]) => String(text).split('\n'))
    return { code, out: linesOf(out), err: linesOf(err) }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}
