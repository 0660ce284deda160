const captured = await fetch(`${HUB}/v2/paymentjobs/${job.paymentJob}/captures`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': 'parcel-1',
  },
  body: JSON.stringify({ amount: '20.00', description: 'The first of two parcels' }),
})
if (!captured.ok) throw new Error(`${captured.status} ${await captured.text()}`)
const capture = (await captured.json()) as { capture: string; status: string }
console.log(capture.status) // PENDING, then SUCCESS or FAILURE
