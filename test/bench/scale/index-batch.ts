import type { Hub } from '../servers/hub.ts'
import { SHOPS, createdAt, shopId } from './fill.ts'

/** As many as the queue hands over at once (`max_batch_size`). */
const BATCH = 100
const BATCHES = 4

/** Hands batches of new rows to the queue's consumer, and takes the rows away again. Milliseconds of each batch. */
export async function timeIndexBatches({ runtime: { miniflare } }: Hub, rows: number): Promise<number[]> {
  const worker = await miniflare.getWorker()
  const took: number[] = []
  for (let batch = 0; batch < BATCHES; batch++) {
    const messages = Array.from({ length: BATCH }, (_, place) => {
      const number = rows + batch * BATCH + place
      return {
        id: crypto.randomUUID(),
        timestamp: new Date(),
        attempts: 1,
        body: { row: rowOf(number), listed: false },
      }
    })
    const begun = performance.now()
    const result = await worker.queue('payment-hub-job-index', messages)
    took.push(performance.now() - begun)
    if (result.outcome !== 'ok' || result.retryBatch.retry || result.retryMessages.length > 0) {
      throw new Error(
        `the index took a batch with ${result.outcome} and ${result.retryMessages.length} to retry`,
      )
    }
  }
  const database = await miniflare.getD1Database('DB')
  const removed = await database
    .prepare(`delete from jobs where order_number like 'BATCH-%' returning id`)
    .run()
  if (removed.results.length !== BATCH * BATCHES)
    throw new Error(`the index had ${removed.results.length} rows`)
  return took.toSorted((a, b) => a - b)
}

function rowOf(number: number) {
  return {
    id: crypto.randomUUID(),
    created: createdAt(number) * 1000,
    pos: shopId(number % SHOPS),
    account: 'sandbox',
    paymentMethod: 'ideal',
    orderId: String(number),
    orderNumber: `BATCH-${number}`,
    currency: 'EUR',
    amount: 1250,
    paid: 0,
    status: 'PENDING',
    updated: createdAt(number) * 1000,
    undeliveredAt: null,
    sequence: 1,
  }
}
