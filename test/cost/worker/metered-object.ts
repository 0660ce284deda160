import type { DurableObject } from 'cloudflare:workers'
import { advanceTo, now } from './clock.ts'
import { count } from './counts.ts'
import { meteredEnv } from './metered-bindings.ts'

type ObjectClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>

/** Each key of `storage.kv` is a row; deleting everything writes a row for each, and one for an alarm that is set. */
function meteredKv(kv: SyncKvStorage): SyncKvStorage {
  return new Proxy(kv, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        count(name === 'put' || name === 'delete' ? 'object rows written' : 'object rows read', String(name))
        return Reflect.apply(value, target, args)
      }
    },
  })
}

/**
 * An object class that counts what it stores, and how long it is busy: from the start of a call to the end of what it
 * goes on with after its answer. Its alarm is not set but noted: `ring` rings it, ahead of its time.
 */
export function meteredObject(Base: ObjectClass) {
  class Metered extends Base {
    alarmAt: number | null = null
    #storage: DurableObjectStorage

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, meteredEnv(env))
      this.#storage = ctx.storage
      Object.defineProperty(this, 'ctx', { value: this.#metered(ctx) })
    }

    /** Rings the alarm as if its time had come. When (ms) it was set for, or null when there is none. */
    async ring(): Promise<number | null> {
      const at = this.alarmAt
      if (at === null) return null
      this.alarmAt = null
      advanceTo(at)
      count('alarm runs', '')
      await this.alarm?.()
      return at
    }

    /** When (ms) the alarm is set for, the bytes that are stored, and when (µs) the job was created. */
    look(): { alarmAt: number | null; bytes: number; created: number } {
      const values = Array.from(
        this.#storage.kv.list(),
        ([key, value]) => key.length + JSON.stringify(value).length,
      )
      const { created = 0 } = this.#storage.kv.get<{ created?: number }>('job') ?? {}
      return { alarmAt: this.alarmAt, bytes: values.reduce((sum, bytes) => sum + bytes, 0), created }
    }

    #metered(ctx: DurableObjectState): DurableObjectState {
      const storage = new Proxy(ctx.storage, {
        get: (target, name) => {
          if (name === 'kv') return meteredKv(target.kv)
          if (name === 'setAlarm') {
            return async (at: number) => {
              count('alarm sets', '')
              this.alarmAt = at
            }
          }
          if (name === 'deleteAll') {
            return async () => {
              count(
                'object rows written',
                'deleteAll',
                [...target.kv.list()].length + (this.alarmAt === null ? 0 : 1),
              )
              this.alarmAt = null
              await target.deleteAll()
            }
          }
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      })
      return {
        id: ctx.id,
        storage,
        // A socket at rest is not billed: its object need not be there.
        acceptWebSocket: ctx.acceptWebSocket.bind(ctx),
        getWebSockets: ctx.getWebSockets.bind(ctx),
        setWebSocketAutoResponse: ctx.setWebSocketAutoResponse.bind(ctx),
        waitUntil: (work: Promise<unknown>) => {
          const started = now()
          ctx.waitUntil(work.finally(() => count('object milliseconds', '', now() - started)))
        },
      } as unknown as DurableObjectState
    }
  }
  return Metered
}
