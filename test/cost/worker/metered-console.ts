import { count } from './counts.ts'

/** Counts each line that the hub logs, and writes it: each is billed as one event. */
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
