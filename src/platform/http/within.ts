/** What a promise brings, or null when that takes longer than a time (ms). What it is the promise of goes on all the same. */
export async function within<Value>(time: number, promise: Promise<Value>): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), time)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
