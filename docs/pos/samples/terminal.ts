type Job = { paymentJob: string; status: string; error: string | null; terminal: { state: string } }

async function askForJob(path: string, init: RequestInit = {}): Promise<Job> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers }
  const response = await fetch(`${HUB}/v2/paymentjobs${path}`, { ...init, headers })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Job
}

let sale = await askForJob('', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': 'sale-1001-card-1' },
  body: JSON.stringify({
    timestamp: Math.floor(Date.now() / 1000),
    terminal: 'default',
    currency: 'EUR',
    amount: '12.50',
    report_url: 'https://shop.example.com/report',
    order_id: '1001',
    order_number: 'A-1001',
  }),
})
while (sale.status === 'PENDING') {
  console.log(sale.terminal.state) // waiting-for-card and so on: show it to the cashier
  // The hub answers when the job changes, or after 15 seconds.
  sale = await askForJob(`/${sale.paymentJob}`, { headers: { prefer: 'wait=15' } })
}
console.log(sale.status, sale.error ?? '') // SUCCESS, FAILURE, CANCELLED or EXPIRED
