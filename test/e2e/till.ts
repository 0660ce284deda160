type Json = Record<string, unknown>

/** A point of sale of a running hub, made by its operator. Its customers come back to `shop`. */
export async function openTill(hub: string, operatorToken: string | undefined, shop: string) {
  const pos = await ask(`${hub}/operator/v1/pos`, operatorToken, { name: 'Shop 1' })
  const { token } = await ask(`${hub}/v1/guardian`, pos['apiKey'])

  /** Creates a payment job, the usual one but for `changes`. */
  const createJob = async (changes: object = {}) => {
    const job = await ask(`${hub}/v2/paymentjobs`, token, {
      timestamp: 1_790_000_000,
      currency: 'EUR',
      amount: '12.50',
      return_url: `${shop}/thanks?order=7`,
      report_url: `${shop}/report`,
      payment_method: 'ideal',
      order_id: '7',
      order_number: 'A-7',
      language: 'nl',
      ip_address: '203.0.113.7',
      ...changes,
    })
    return {
      payUrl: String(job['payUrl']),
      read: () => ask(`${hub}/v2/paymentjobs/${String(job['paymentJob'])}`, token),
    }
  }
  return { createJob }
}

async function ask(url: string, bearer: unknown, body?: object): Promise<Json> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${String(bearer)}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response.json() as Promise<Json>
}
