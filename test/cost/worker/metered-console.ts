import { count } from './counts.ts'

/** Counts each line that the hub logs, which is billed as one event, and still writes it. */
export function meterConsole(): void {
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const write = console[level].bind(console)
    console[level] = (...said: unknown[]): void => {
      const [first] = said
      const name = typeof first === 'object' && first !== null ? String(Reflect.get(first, 'event')) : level
      count('log events', name)
      write(...said)
    }
  }
}
