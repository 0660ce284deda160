import { Log, LogLevel, Miniflare } from 'miniflare'
import { freePort } from '../../../src/tools/local/free-port.ts'
import type { WorkerOptions } from '../../../src/tools/local/worker-options.ts'
import { takeSignals } from '../endings.ts'
import { runtimes } from '../../../src/tools/local/processes.ts'
import { unwatch, watch } from '../watchdog.ts'

export type Runtime = {
  url: string
  miniflare: Miniflare
  pids: () => number[]
  stop: () => Promise<void>
}

/**
 * Runs a Worker in a workerd of its own. Its socket is the Worker's: Miniflare's own proxy in Node, through which
 * `npm run dev` goes too, would take most of each request's time. Where it has an `inspectorPort` it can be profiled.
 */
export async function startRuntime(
  worker: WorkerOptions,
  stateDir: string,
  tell: (line: string) => void,
  inspectorPort?: number,
): Promise<Runtime> {
  const others = new Set(runtimes())
  const port = await freePort()
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    cf: false,
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: ({ level, message }) => {
      if (level === 'error' || level === 'warn') tell(`${worker.config.name}: ${message.slice(0, 300)}`)
    },
    resourcePersistencePath: stateDir,
    telemetry: { enabled: false },
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
    workers: [
      {
        ...worker,
        dev: {
          unsafeDirectSockets: [{ host: '127.0.0.1', port }],
          unsafeInspectorProxy: inspectorPort !== undefined,
        },
      },
    ],
  })
  await miniflare.ready
  takeSignals()
  const pids = runtimes().filter((pid) => !others.has(pid))
  watch(pids)
  return {
    url: `http://127.0.0.1:${port}`,
    miniflare,
    pids: () => pids,
    stop: async () => {
      await miniflare.dispose()
      unwatch(pids)
    },
  }
}
