const created = await fetch(`${HUB}/v2/paymentjobs`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': 'order-1001-attempt-1',
  },
  body: JSON.stringify({
    timestamp: Math.floor(Date.now() / 1000),
    currency: 'EUR',
    amount: '12.50',
    return_url: 'https://shop.example.com/thanks',
    report_url: 'https://shop.example.com/report',
    payment_method: 'ideal',
    order_id: '1001',
    order_number: 'A-1001',
    language: 'nl-NL',
    ip_address: '203.0.113.7',
  }),
})
if (!created.ok) throw new Error(`${created.status} ${await created.text()}`)
const job = (await created.json()) as { paymentJob: string; payUrl: string }
console.log(job.payUrl) // where the customer pays
