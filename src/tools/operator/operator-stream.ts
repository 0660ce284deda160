import { askEvents } from './operator-api.ts'

/**
 * Follows a stream of events at an address of the operator API. `next` resolves when something came, or after a time (ms); what came is
 * for the caller to read again. A stream that ends is opened anew.
 */
export function operatorStream(
  env: NodeJS.ProcessEnv,
  address: string,
  signal: AbortSignal,
): { next: (time: number) => Promise<void> } {
  let news = Promise.withResolvers<void>()
  const follow = async (): Promise<void> => {
    const response = await askEvents(env, address, signal)
    if (!response.ok) await response.body?.cancel()
    else for await (const part of response.body ?? []) if (!isComment(part)) news.resolve()
  }
  let following: Promise<void> | null = null
  return {
    async next(time) {
      following ??= follow()
        .catch(() => {})
        .finally(() => (following = null))
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, time)))
      await Promise.race([news.promise, late])
      clearTimeout(timer)
      news = Promise.withResolvers()
    },
  }
}

function isComment(part: Uint8Array): boolean {
  return new TextDecoder().decode(part).startsWith(':')
}
