/** How long (ms) values are gathered that come one after another, and how many at most. */
const GATHERING = 300
const MOST = 100
/** A value after so long (ms) without another comes alone: nobody would share what it waits for. */
const QUIET = 1000

/**
 * Writes values that come at about the same time together. Each call ends when its value is written, or fails as its batch does.
 */
export function gather<Value>(write: (values: readonly Value[]) => Promise<void>) {
  let open: { values: Value[]; written: Promise<void> } | null = null
  let newest = -Infinity

  const begin = (isAlone: boolean): NonNullable<typeof open> => {
    const values: Value[] = []
    const written = (async () => {
      await (isAlone ? undefined : new Promise<void>((resolve) => setTimeout(resolve, GATHERING)))
      if (open?.values === values) open = null
      await write(values)
    })()
    return { values, written }
  }

  return (value: Value): Promise<void> => {
    const isAlone = Date.now() > newest + QUIET
    newest = Date.now()
    if (open === null || open.values.length === MOST) open = begin(isAlone)
    open.values.push(value)
    return open.written
  }
}
