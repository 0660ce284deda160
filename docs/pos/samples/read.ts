const read = await fetch(`${HUB}/v2/paymentjobs/${job.paymentJob}`, {
  headers: { authorization: `Bearer ${token}` },
})
if (!read.ok) throw new Error(await read.text())
const { status } = (await read.json()) as { status: string }
console.log(status) // PENDING, SUCCESS, FAILURE, CANCELLED or EXPIRED
