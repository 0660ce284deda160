const refunded = await fetch(`${HUB}/v2/paymentjobs/${job.paymentJob}/refunds`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': 'return-77',
  },
  body: JSON.stringify({ amount: '5.00', description: 'A shirt came back' }),
})
if (!refunded.ok) throw new Error(`${refunded.status} ${await refunded.text()}`)
const refund = (await refunded.json()) as { refund: string; status: string }
console.log(refund.status) // PENDING, then SUCCESS or FAILURE
