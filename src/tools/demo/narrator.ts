import { styleText } from 'node:util'

/** Colours show on a terminal only; `NO_COLOR` is heeded. */
function style(format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { stream: process.stdout })
}

/** Tells on standard output what happens, step by step. */
export function narrator() {
  let steps = 0
  let current = 'starting'
  return {
    step: (what: string) => {
      current = what
      console.log(`\n${style('bold', `${++steps}. ${what}`)}`)
    },
    exchange: (from: string, method: string, address: string, status: number) =>
      console.log(
        `   ${style('cyan', from.padEnd(9))} ${method.padEnd(5)} ${address} ${style('dim', '→')} ${style('green', String(status))}`,
      ),
    detail: (name: string, value: string) => console.log(`   ${style('dim', name.padEnd(15))} ${value}`),
    checked: (what: string) => console.log(`   ${style('green', '✓')} ${what}`),
    plain: (text: string) => console.log(text.replaceAll(/^/gm, '   ')),
    failed: (error: unknown) =>
      console.error(
        `\n${style('red', `✗ Step ${steps} (${current}) failed:`)} ${error instanceof Error ? error.message : String(error)}`,
      ),
  }
}
export type Narrator = ReturnType<typeof narrator>
