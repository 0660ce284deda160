/** Runs work by name. Callers that arrive during a run share its result. */
export function singleFlight<T>() {
  const underWay = new Map<string, Promise<T>>()
  return {
    running: (name: string): Promise<T> | undefined => underWay.get(name),
    isIdle: (): boolean => underWay.size === 0,
    run(name: string, work: () => Promise<T>): Promise<T> {
      const running = underWay.get(name)
      if (running) return running
      const begun = work().finally(() => underWay.delete(name))
      underWay.set(name, begun)
      return begun
    },
  }
}
