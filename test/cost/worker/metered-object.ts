import type { DurableObject } from 'cloudflare:workers'
import { advanceTo, now } from './clock.ts'
import { begins, count, ends } from './counts.ts'
import { meteredEnv } from './metered-bindings.ts'

type ObjectClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>

/** Each key of `storage.kv` is a row. Deleting everything writes a row for each key, and one for an alarm. */
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

/** Counts the calls of an object's storage. Notes its alarm in `alarm` instead of setting it. */
function meter(ctx: DurableObjectState, alarm: { at: number | null }): void {
  const { storage } = ctx
  const metered = new Proxy(storage, {
    get: (target, name) => {
      if (name === 'kv') return meteredKv(target.kv)
      if (name === 'setAlarm') {
        return async (at: number) => {
          count('alarm sets', '')
          alarm.at = at
        }
      }
      if (name === 'deleteAll') {
        return async () => {
          const rows = [...target.kv.list()].length + (alarm.at === null ? 0 : 1)
          count('object rows written', 'deleteAll', rows)
          alarm.at = null
          await target.deleteAll()
        }
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const waitUntil = ctx.waitUntil.bind(ctx)
  Object.defineProperties(ctx, {
    storage: { value: metered },
    waitUntil: {
      value: (work: Promise<unknown>) => {
        const started = now()
        begins()
        const end = () => {
          ends()
          count('object milliseconds', '', now() - started)
        }
        waitUntil(work.finally(end))
      },
    },
  })
}

/**
 * Returns an object class that counts what it stores, and how long it is busy: from the start of a call to
 * the end of all work after its answer. `ring` rings its alarm early.
 */
export function meteredObject(Base: ObjectClass) {
  class Metered extends Base {
    #alarm: { at: number | null }
    #storage: DurableObjectStorage

    constructor(ctx: DurableObjectState, env: Env) {
      const { storage } = ctx
      const alarm = { at: null }
      meter(ctx, alarm)
      super(ctx, meteredEnv(env))
      this.#alarm = alarm
      this.#storage = storage
    }

    /** Rings the alarm as if it were due. Returns when (ms) it was set for; null without one. */
    async ring(): Promise<number | null> {
      const { at } = this.#alarm
      if (at === null) return null
      this.#alarm.at = null
      advanceTo(at)
      count('alarm runs', '')
      await this.alarm?.()
      return at
    }

    /** Returns when (ms) the alarm is set for, the stored bytes, and when (µs) the job was created. */
    look(): { alarmAt: number | null; bytes: number; created: number } {
      const values = Array.from(
        this.#storage.kv.list(),
        ([key, value]) => key.length + JSON.stringify(value).length,
      )
      const { at: created = 0 } = this.#storage.kv.get<{ at?: number }>('000001') ?? {}
      return { alarmAt: this.#alarm.at, bytes: values.reduce((sum, bytes) => sum + bytes, 0), created }
    }
  }
  return Metered
}
