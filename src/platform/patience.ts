import { unlessAborted, withDeadline } from './deadline.ts'

/**
 * How long (ms) a request waits for D1, and for KV. Both stall at times, for a minute or longer, and a stall
 * counts as a failure: the door answers 503 with `Retry-After`, or does without. PSPs wait ten seconds for us.
 */
const PATIENCE: Readonly<Record<string, number>> = { DB: 8000, TOKENS: 4000 }

/** The bindings and statements that answer in time, by those that may stall; and the other way round. */
const envs = new WeakMap<Env, Env>()
const patient = new WeakMap<object, object>()
const originals = new WeakMap<object, object>()

/** Returns bindings of which D1 and KV answer in time, or throw. */
export function withPatience(env: Env): Env {
  const known = envs.get(env)
  if (known) return known
  const proxy = new Proxy(env, {
    get(of, name) {
      const binding: unknown = Reflect.get(of, name)
      const time = PATIENCE[String(name)]
      return time !== undefined && isObject(binding) ? inTime(binding, time) : binding
    },
  })
  envs.set(env, proxy)
  return proxy
}

/** Returns an object whose calls answer in time, and so do those of the statements that it makes. */
function inTime(target: object, time: number): object {
  const known = patient.get(target)
  if (known) return known
  const proxy = new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, of, args.map(originalOf))
        if (answer instanceof Promise) return withDeadline(time, (signal) => unlessAborted(signal, answer))
        return isObject(answer) ? inTime(answer, time) : answer
      }
    },
  })
  patient.set(target, proxy)
  originals.set(proxy, target)
  return proxy
}

/** A batch of D1 takes only statements of its own. */
function originalOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(originalOf)
  return isObject(value) ? (originals.get(value) ?? value) : value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
