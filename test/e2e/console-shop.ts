import { type JobJson, type RunningHub, choose, openPos } from './clients.ts'
import { openReceiver } from './signed-receiver.ts'

/** A shop in test mode with a real receiver, for tests of the console. */
export async function openConsoleShop(hub: RunningHub, name: string) {
  const { id, signingSecret, create } = await openPos(hub, { name })
  const receiver = await openReceiver(signingSecret)
  let orders = 0

  const createJob = (changes: object = {}): Promise<JobJson> => {
    orders += 1
    const order_number = `C-${id.slice(0, 6)}-${orders}`
    return create(new URL(receiver.url).origin, { order_number, ...changes })
  }

  /** A paid job whose report the shop has accepted. */
  const paidJob = async (): Promise<JobJson> => {
    const job = await createJob()
    await fetch(await choose(job.payUrl, 'paid'), { redirect: 'manual' })
    const isTold = () =>
      receiver.received.some((one) => one.job === job.paymentJob && one.status === 'SUCCESS')
    while (!isTold()) await new Promise((resolve) => setTimeout(resolve, 50))
    return job
  }

  return { id, createJob, paidJob, received: receiver.received, stop: receiver.stop }
}
