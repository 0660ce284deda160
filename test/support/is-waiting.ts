/** Whether a promise is still waiting, once all that can happen by itself has happened. */
export async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  const soon = new Promise((resolve) => setTimeout(resolve, 20, 'waiting'))
  return (await Promise.race([promise, soon])) === 'waiting'
}
