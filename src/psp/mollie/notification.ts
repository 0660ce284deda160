import type { Notification, NotificationReading } from '../port.ts'

/**
 * A form with only the payment's id, which is not signed. The job is in the address that was given with the payment:
 * https://docs.mollie.com/reference/webhooks
 */
export async function readNotification({ job, body }: Notification): Promise<NotificationReading> {
  const reference = new URLSearchParams(body).get('id')
  const payments = job && reference ? [{ job, reference, claimedStatus: null }] : []
  return { is: 'about', payments, unsigned: true }
}
