import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import type { Told } from '../player/switch.ts'

/** One line of the child's output: what run-plays.ts reads. */
export type Line =
  | { readonly kind: 'test'; readonly state: string; readonly ms: number; readonly told: Told }
  | { readonly kind: 'began' | 'ended' | 'broken'; readonly play: number; readonly why?: string }
  | { readonly kind: 'collected' }

export const MARK = '@@play '

/** readline takes these for ends of lines; titles of tests have them. */
const isEnd = /[\u2028\u2029]/g

/** The text of a line, which is one line to whoever reads it. */
export function lineOf(line: Line): string {
  return MARK + JSON.stringify(line).replaceAll(isEnd, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))
}

function tell(line: Line): void {
  void process.stdout.write(`\n${lineOf(line)}\n`)
}

/** The number of the play that a suite is, or is in. */
function playOf(suite: TestSuite): number | null {
  const number = /^play (\d+)$/.exec(suite.name)?.[1]
  if (number !== undefined) return Number(number)
  return suite.parent.type === 'suite' ? playOf(suite.parent) : null
}

function isPlay(suite: TestSuite): boolean {
  return suite.parent.type === 'module'
}

/** Tells each result as it comes, so that a run that hangs is known by its silence, and by the play that it hangs in. */
export const telling: Reporter = {
  onTestModuleCollected() {
    tell({ kind: 'collected' })
  },
  onTestSuiteReady(suite: TestSuite) {
    const play = playOf(suite)
    if (play !== null && isPlay(suite)) tell({ kind: 'began', play })
  },
  onTestCaseResult(test: TestCase) {
    const { told } = test.meta()
    const { state } = test.result()
    if (told !== undefined && state !== 'skipped')
      tell({ kind: 'test', state, ms: test.diagnostic()?.duration ?? 0, told })
  },
  onTestSuiteResult(suite: TestSuite) {
    const play = playOf(suite)
    if (play === null) return
    const [error] = suite.errors()
    if (error !== undefined) tell({ kind: 'broken', play, why: error.message })
    if (isPlay(suite)) tell({ kind: 'ended', play })
  },
  onTestRunEnd(modules: readonly TestModule[], unhandled) {
    const [error] = [...unhandled, ...modules.flatMap((module) => module.errors())]
    if (error !== undefined) process.stdout.write(`\n${error.message}\n${error.stack ?? ''}\n`)
  },
}
