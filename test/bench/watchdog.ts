import { type ChildProcess, spawn } from 'node:child_process'

/** Is told which processes there are, a line of ids each time, and ends the last ones it was told of when the line is cut. */
const WATCH = `let input = ''
process.stdin.setEncoding('utf8').on('data', (text) => (input += text)).on('end', () => {
  for (const id of input.trimEnd().split('\\n').at(-1).split(' ').filter(Boolean)) {
    try { process.kill(Number(id), 'SIGKILL') } catch {}
  }
})`

const watched = new Set<number>()
let dog: ChildProcess | undefined

/** Sees to it that processes do not outlive this one, even when it has no time to stop them. */
export function watch(pids: readonly number[]): void {
  for (const pid of pids) watched.add(pid)
  tell()
}

/** Processes that have ended: their ids may become those of others. */
export function unwatch(pids: readonly number[]): void {
  for (const pid of pids) watched.delete(pid)
  tell()
}

function tell(): void {
  if (!dog) {
    dog = spawn(process.execPath, ['-e', WATCH], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
    dog.unref()
  }
  dog.stdin?.write(`${[...watched].join(' ')}\n`)
}
