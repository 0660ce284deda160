import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'
import { HUB } from '../../src/cli/commands.ts'
import { runWords } from '../../src/programs/program.ts'

type Printed = { out: string[]; err: string[] }

/** The output of the current command. Several commands may run at the same time. */
const printed = new AsyncLocalStorage<Printed>()
let running = 0

function takePrinted(): void {
  for (const [method, list] of [
    ['log', 'out'],
    ['error', 'err'],
  ] as const)
    vi.spyOn(console, method).mockImplementation((text: unknown) => {
      printed.getStore()?.[list].push(...String(text).split('\n'))
    })
}

/** Runs the operator's CLI in this process. Returns its exit code and its output, line by line. */
export async function runHub(words: readonly string[]) {
  const lines: Printed = { out: [], err: [] }
  if (running++ === 0) takePrinted()
  try {
    const code = await printed.run(lines, () => runWords(HUB, words))
    return { code, ...lines }
  } finally {
    if (--running === 0)
      for (const method of ['log', 'error'] as const) vi.mocked(console[method]).mockRestore()
  }
}
