import { vi } from 'vitest'

/** Real queues and alarms take their time on a busy machine: `vi.waitFor` lasts this long (ms) unless a test says otherwise. */
const PATIENCE = 15_000

const waitFor = vi.waitFor
vi.waitFor = (check, options = PATIENCE) =>
  waitFor(check, typeof options === 'number' ? options : { timeout: PATIENCE, ...options })
