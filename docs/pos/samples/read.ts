let status = 'PENDING'
while (status === 'PENDING') {
  // The hub answers when the job changes, or after 15 seconds.
  const read = await fetch(`${HUB}/v2/paymentjobs/${job.paymentJob}`, {
    headers: { authorization: `Bearer ${token}`, prefer: 'wait=15' },
  })
  if (!read.ok) throw new Error(`${read.status} ${await read.text()}`)
  const now = (await read.json()) as { status: string }
  status = now.status
}
console.log(status) // SUCCESS, FAILURE, CANCELLED or EXPIRED
