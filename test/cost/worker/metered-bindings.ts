import { type Operation, begins, count } from './counts.ts'

/** Returns a binding that counts calls of some methods; the others stay as they are. */
function metered<Binding extends object>(
  binding: Binding,
  meter: (method: string, args: unknown[]) => void,
): Binding {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        meter(String(name), args)
        return Reflect.apply(value, target, args)
      }
    },
  })
}

const KV_OPERATION = new Map<string, Operation>([
  ['get', 'kv reads'],
  ['getWithMetadata', 'kv reads'],
  ['put', 'kv writes'],
  ['delete', 'kv deletes'],
  ['list', 'kv lists'],
])

function meteredKv(kv: KVNamespace): KVNamespace {
  return metered(kv, (method, [name]) => {
    const operation = KV_OPERATION.get(method)
    if (!operation) throw new Error(`what does ${method} of KV cost?`)
    count(operation, `${method} ${String(name).split(':')[0]}`)
  })
}

/**
 * A message of up to 64 KB is one write. Its read and delete are counted on arrival. A test does not wait for
 * a delayed message.
 */
function meteredQueue(queue: Queue, isDelayed = false): Queue {
  return metered(queue, (method, [messages]) => {
    count('queue operations', 'write')
    if (!isDelayed) begins(method === 'sendBatch' ? [...(messages as Iterable<unknown>)].length : 1)
  })
}

/** Twenty messages to an object over a socket are billed as one request; those that it sends are free. */
function meteredSocket(response: Response): Response {
  const { webSocket } = response
  const send = webSocket?.send.bind(webSocket)
  if (webSocket && send) {
    webSocket.send = (message: string) => {
      count('object requests', 'message over a socket', 1 / 20)
      send(message)
    }
  }
  return response
}

function meteredStub(stub: DurableObjectStub): DurableObjectStub {
  return new Proxy(stub, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        count('object requests', String(name))
        const called: unknown = Reflect.apply(value, target, args)
        return name === 'fetch' ? (called as Promise<Response>).then(meteredSocket) : called
      }
    },
  })
}

function meteredObjects<Namespace extends DurableObjectNamespace>(namespace: Namespace): Namespace {
  return new Proxy(namespace, {
    get(target, name) {
      if (name !== 'getByName') return Reflect.get(target, name) as unknown
      return (id: string): unknown => meteredStub(target.getByName(id))
    },
  })
}

type Answer = { meta: { rows_read: number; rows_written: number } }
type Send = (...args: unknown[]) => Promise<Answer | Answer[]>

/** Each answer of D1 says what it billed. Both ways to ask it, by HTTP and by RPC, are methods of its sessions. */
function meteredD1(database: D1Database): D1Database {
  const sessions = Object.getPrototypeOf(database.withSession()) as Record<string, Send>
  for (const name of ['_sendOrThrow', '_queryOrThrow']) {
    const send = sessions[name]
    if (!send) throw new Error(`D1 has no ${name}: how does it ask?`)
    sessions[name] = async function (...args) {
      const answer = await send.apply(this, args)
      for (const { meta } of [answer].flat()) {
        if (meta.rows_read > 0) count('d1 rows read', '', meta.rows_read)
        if (meta.rows_written > 0) count('d1 rows written', '', meta.rows_written)
      }
      return answer
    }
  }
  return database
}

let known: Env | undefined

/** Returns the Worker's bindings, which count their calls. */
export function meteredEnv(env: Env): Env {
  return (known ??= {
    ...env,
    TOKENS: meteredKv(env.TOKENS),
    DB: meteredD1(env.DB),
    REPORTS: meteredQueue(env.REPORTS),
    JOB_INDEX: meteredQueue(env.JOB_INDEX),
    COPIES: meteredQueue(env.COPIES, true),
    SWEEPS: meteredQueue(env.SWEEPS),
    PAYMENT_JOB: meteredObjects(env.PAYMENT_JOB),
    JOB_DIRECTORY: meteredObjects(env.JOB_DIRECTORY),
  })
}

/** Returns a batch whose messages count as read, and as deleted unless they are retried. */
export function meteredBatch(batch: MessageBatch): MessageBatch {
  for (const message of batch.messages) {
    count('queue operations', `read ${batch.queue}`)
    count('queue operations', `delete ${batch.queue}`)
    const retry = message.retry.bind(message)
    message.retry = (options) => {
      count('queue operations', `not deleted ${batch.queue}`, -1)
      begins()
      retry(options)
    }
  }
  return batch
}
