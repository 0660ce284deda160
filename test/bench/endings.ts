/** What has to be ended before this process may, the newest first. */
const endings = new Set<() => Promise<void>>()

/** Sees to it that something is ended, whatever ends the run. What is given back ends it now. */
export function atEnd(ending: () => Promise<void>): () => Promise<void> {
  endings.add(ending)
  return async () => {
    if (endings.delete(ending)) await ending()
  }
}

/** Ends everything: servers before the folders that their state is in, since those were there first. */
async function endAll(): Promise<void> {
  for (const ending of [...endings].toReversed()) {
    endings.delete(ending)
    try {
      await ending()
    } catch (error) {
      console.error(error)
    }
  }
}

let leaving: Promise<never> | undefined

/** Ends everything, and then this process. The first call's code counts: what fails because of it comes after. */
export function leave(code: number): Promise<never> {
  return (leaving ??= endAll().then(() => process.exit(code)))
}

/** Leaves in order upon a signal. Miniflare's own handlers would end the process at once: they are set aside. */
export function takeSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.once(signal, () => void leave(130))
  }
}
