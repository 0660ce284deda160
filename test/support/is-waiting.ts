/** Whether a promise is still waiting, once all that can happen by itself has happened. */
export const isWaiting = async (promise: Promise<unknown>): Promise<boolean> => {
  const soon = new Promise((resolve) => setTimeout(resolve, 20, 'waiting'))
  return (await Promise.race([promise, soon])) === 'waiting'
}
