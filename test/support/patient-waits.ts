import { vi } from 'vitest'

/** Real queues and alarms take their time on a busy machine: `vi.waitFor` lasts this long (ms) unless a test says otherwise. */
const PATIENCE = 15_000
/** How often (ms) it looks: an assertion that fails takes ten milliseconds of this machine to make, and others wait for those. */
const INTERVAL = 100

const waitFor = vi.waitFor
vi.waitFor = (check, options = PATIENCE) =>
  waitFor(check, {
    interval: INTERVAL,
    timeout: PATIENCE,
    ...(typeof options === 'number' ? { timeout: options } : options),
  })
