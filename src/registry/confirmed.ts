import { log } from '../platform/log.ts'

/**
 * Makes a write, and makes it again when D1 does not confirm it, for it may be there all the same. So `write` must do the
 * same a second time. D1 repeats reads by itself, and no writes. Throws when the second is not confirmed either.
 */
export async function confirmed<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    log.fault('registry.write-repeated', error)
    return write()
  }
}
