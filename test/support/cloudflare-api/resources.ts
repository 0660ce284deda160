import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Consumer } from './account.ts'
import { failure, operation, success } from './operation.ts'

function newId() {
  return randomBytes(16).toString('hex')
}

const NAME = v.pipe(v.string(), v.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/))

/** Workers KV: https://developers.cloudflare.com/api/resources/kv/ */
export const NAMESPACES = [
  operation(
    'GET /storage/kv/namespaces',
    {
      query: v.strictObject({
        per_page: v.string(),
        page: v.exactOptional(v.string(), '1'),
        order: v.picklist(['id', 'title']),
        direction: v.picklist(['asc', 'desc']),
      }),
    },
    ({ namespaces }, { query }) => {
      const [size, page] = [Number(query.per_page), Number(query.page)]
      const all = Array.from(namespaces, ([id, one]) => ({ id, ...one }))
      return success(all.slice(size * (page - 1), size * page))
    },
  ),
  operation(
    'POST /storage/kv/namespaces',
    {
      body: v.strictObject({
        title: v.pipe(v.string(), v.minLength(1), v.maxLength(512)),
        jurisdiction: v.exactOptional(v.picklist(['eu', 'us', 'fedramp'])),
      }),
    },
    ({ namespaces }, { body }) => {
      if ([...namespaces.values()].some(({ title }) => title === body.title))
        return failure(400, 10_014, 'a namespace with this account ID and title already exists')
      const id = newId()
      namespaces.set(id, body)
      return success({ id, ...body, supports_url_encoding: true })
    },
  ),
]

function seconds(least: number, most: number) {
  return v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most)))
}

/** https://developers.cloudflare.com/queues/platform/limits/ */
const NewConsumer = v.strictObject({
  type: v.literal('worker'),
  script_name: v.string(),
  dead_letter_queue: v.exactOptional(NAME),
  settings: v.strictObject({
    batch_size: seconds(1, 100),
    max_retries: seconds(0, 100),
    max_wait_time_ms: seconds(0, 60_000),
    retry_delay: seconds(0, 86_400),
  }),
})

/** Queues: https://developers.cloudflare.com/api/resources/queues/ */
export const QUEUES = [
  operation(
    'GET /queues',
    {
      query: v.strictObject({
        page: v.exactOptional(v.string()),
        name: v.exactOptional(v.union([v.string(), v.array(v.string())])),
      }),
    },
    ({ queues }, { query: { name } }) => {
      const wanted = name === undefined ? null : [name].flat()
      const found = [...queues.values()].filter(
        ({ queue_name: one }) => wanted === null || wanted.includes(one),
      )
      return success(found, {
        result_info: {
          page: 1,
          per_page: 100,
          total_pages: 1,
          count: found.length,
          total_count: found.length,
        },
      })
    },
  ),
  operation(
    'POST /queues',
    {
      body: v.strictObject({
        queue_name: NAME,
        settings: v.exactOptional(v.strictObject({})),
        // https://developers.cloudflare.com/queues/configuration/data-location/: "You can only set a
        // jurisdiction when you create a queue."
        jurisdiction: v.exactOptional(v.picklist(['eu', 'us', 'fedramp'])),
      }),
    },
    ({ queues }, { body }) => {
      if ([...queues.values()].some(({ queue_name: name }) => name === body.queue_name)) {
        return failure(409, 11_009, `Queue name '${body.queue_name}' is already taken`)
      }
      const { queue_name, jurisdiction } = body
      const queue = {
        queue_id: newId(),
        queue_name,
        consumers: [],
        ...(jurisdiction ? { jurisdiction } : {}),
      }
      queues.set(queue.queue_id, queue)
      return success({ ...queue, producers: [], producers_total_count: 0, consumers_total_count: 0 })
    },
  ),
  operation(
    'POST /queues/:queue/consumers',
    { body: NewConsumer },
    ({ queues, scripts }, { params, body }) => {
      const queue = queues.get(params('queue'))
      if (!queue) return failure(404, 11_000, 'the queue does not exist')
      if (!scripts.has(body.script_name)) return failure(404, 10_007, 'the Worker does not exist')
      if (queue.consumers.length > 0) return failure(409, 11_004, 'the queue has a consumer')
      const consumer: Consumer = {
        consumer_id: newId(),
        type: body.type,
        script: body.script_name,
        dead_letter_queue: body.dead_letter_queue,
        settings: body.settings,
      }
      queue.consumers.push(consumer)
      return success(consumer)
    },
  ),
  operation(
    'PUT /queues/:queue/consumers/:consumer',
    { body: NewConsumer },
    ({ queues }, { params, body }) => {
      const consumer = queues
        .get(params('queue'))
        ?.consumers.find(({ consumer_id: id }) => id === params('consumer'))
      if (!consumer) return failure(404, 11_001, 'the consumer does not exist')
      Object.assign(consumer, { dead_letter_queue: body.dead_letter_queue, settings: body.settings })
      return success(consumer)
    },
  ),
]
