import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { textsIn } from '../../src/checkout/texts.ts'
import { UNKNOWN_QUOTAS } from '../../src/platform/http/rate-limit.ts'
import { wakeJob } from '../../src/job/call-job.ts'
import {
  type Pos,
  askWith,
  createJob,
  makePos,
  payAs,
  refreshOf,
  send,
  tokenFor,
  linkIn,
  type JobJson,
} from '../support/hub/hub.ts'
import { objectOf, recordAnswer, ringNext, stored, untilNothingIsDue } from '../support/jobs/job.ts'
import { operate } from '../support/hub/operator.ts'
import { makeLivePos, outside } from '../support/shops/live-pos.ts'
import { receiver } from '../support/shops/receiver.ts'

let pos: Pos
let token: string
beforeEach(async () => {
  receiver()
  pos = await makePos()
  token = await tokenFor(pos)
})

async function receiptOf({ paymentJob }: JobJson): Promise<string> {
  const response = await send(`/receipt/${paymentJob}`)
  expect(response.status).toBe(200)
  return response.text()
}

async function paidJob(changes: object = {}): Promise<JobJson> {
  const job = await createJob(token, changes)
  await payAs(job.payUrl, 'paid')
  return job
}

describe('the receipt of a payment', () => {
  it('shows the shop, the order, the amount, that it is paid and when, and leads back', async () => {
    const page = await receiptOf(await paidJob({ language: 'de', order_number: 'A-2026-77' }))
    expect(page).toContain('<h1>Diese Bestellung ist bezahlt</h1>')
    expect(page).toContain('<p class="shop"><bdi>Shop 1</bdi></p>')
    expect(page).toContain('<bdi>A-2026-77</bdi>')
    expect(page).toContain('12,50\u00a0€')
    expect(page).toMatch(/<time datetime="\d{4}-\d\d-\d\dT[\d:.]+Z">/)
    expect(page).toContain(
      '<a class="button" href="https://shop.nl/thanks?order=7">Zurück zu <bdi>Shop 1</bdi></a>',
    )
    expect(page).toContain('<title>Zahlungsbeleg – Diese Bestellung ist bezahlt – Shop 1</title>')
  })

  it('says that it is a receipt, its number, and whom to ask', async () => {
    const job = await paidJob({ language: 'nl' })
    const page = await receiptOf(job)
    const { receipt, number, askAt } = textsIn('nl')
    expect(page).toContain(`<p class="kind">${receipt}</p>`)
    expect(page).toContain(`<dt>${number}</dt><dd class="number"><bdi>${job.paymentJob}</bdi></dd>`)
    expect(page).toContain(`<p class="soft">${askAt.replace('{shop}', '<bdi>Shop 1</bdi>')}</p>`)
  })

  it('is not a receipt before the order is paid, or if too little was', async () => {
    const job = await createJob(token, { language: 'en' })
    const isNone = async () => {
      const page = await receiptOf(job)
      expect(page).not.toContain('class="kind"')
      expect(page).not.toContain('Receipt')
    }
    await isNone()
    await payAs(job.payUrl, 'short')
    await isNone()
    const short = await (await send(`/pay/${job.paymentJob}`)).text()
    expect(short).toContain(`<h1>${textsIn('en').PART}</h1>`)
    expect(short).toContain(job.paymentJob)
    expect(short).not.toContain('Receipt')
  })

  it('of reserved money is not a receipt until it is captured, and then shows what was taken and what was released', async () => {
    const job = await createJob(token, { language: 'en', payment_method: 'creditcard', capture: 'manual' })
    await payAs(job.payUrl, 'paid')
    const { RESERVED, PART_RESERVED, SUCCESS, reserved, released, paid } = textsIn('en')
    const waits = await (await send(`/pay/${job.paymentJob}`)).text()
    expect(waits).toContain(`<h1>${RESERVED}</h1>`)
    expect(waits).toMatch(new RegExp(`<dt>${reserved}</dt><dd><bdi>€12\\.50</bdi>`))
    expect(waits).not.toContain(paid)
    expect(waits).not.toContain('Receipt')
    const captures = `/v2/paymentjobs/${job.paymentJob}/captures`
    expect((await askWith(token, 'POST', captures, { amount: '4.00' })).status).toBe(201)
    expect(await receiptOf(job)).toContain(`<h1>${PART_RESERVED}</h1>`)
    await askWith(token, 'POST', captures, { amount: '1.00', final: true })
    const page = await receiptOf(job)
    expect(page).toContain(`<h1>${SUCCESS}</h1>`)
    expect(page).toMatch(new RegExp(`<dt>${paid}</dt><dd><bdi>€5\\.00</bdi>`))
    expect(page).toMatch(new RegExp(`<dt>${released}</dt><dd><bdi>€7\\.50</bdi></dd><dd class="when"><time`))
  })

  it('is written from right to left in Arabic, with other texts isolated', async () => {
    const page = await receiptOf(await paidJob({ language: 'ar-EG', order_number: 'A-77' }))
    expect(page).toContain('<html lang="ar" dir="rtl">')
    expect(page).toContain('<bdi>A-77</bdi>')
    expect(page).toMatch(/<dd class="sum"><bdi>[^<]*12\.50[^<]*<\/bdi>/)
    expect(page).toMatch(/<time [^>]*>[^<]*\d{4}[^<]*<\/time>/)
  })

  it.each([
    ['zh-HK', 'de', 'zh-Hant'],
    ['zh_SG', 'de', 'zh-Hans'],
    ['tr', 'de', 'tr'],
    ['ko', 'zh-TW,zh;q=0.9', 'zh-Hant'],
    ['ja-Latn', 'uk-UA', 'uk'],
  ])('of an order in %s, for a browser that wants %s, is in %s', async (language, wanted, shown) => {
    const { paymentJob } = await createJob(token, { language })
    const page = await send(`/receipt/${paymentJob}`, { headers: { 'accept-language': wanted } })
    expect(await page.text()).toContain(`<html lang="${shown}"`)
  })

  it('says TEST for a payment in test mode, and not for a live one', async () => {
    const test = await createJob(token, { language: 'en' })
    const says = '<p class="test"><strong>TEST</strong> This is a test: no money moves.</p>'
    for (const page of [`/receipt/${test.paymentJob}`, `/return/${test.paymentJob}`])
      expect(await (await send(page)).text()).toContain(says)
    outside()
    const live = await createJob(await tokenFor(await makeLivePos()))
    expect(await receiptOf(live)).not.toContain('TEST')
  })

  it("shows the method, and the time by the customer's clock", async () => {
    const { paymentJob } = await paidJob({ language: 'nl' })
    const response = await send(`/receipt/${paymentJob}`, { cf: { timezone: 'Europe/Amsterdam' } })
    const page = await response.text()
    expect(page).toContain('<dt>Betaalwijze</dt><dd><bdi>iDEAL | Wero</bdi></dd>')
    expect(page).toMatch(/\d\d:\d\d CES?T<\/time>/)
  })

  const byCard = { payment_method: 'creditcard', currency: 'USD' }
  it('shows an order number as it is written, and the amount as the region of the order does', async () => {
    const page = await receiptOf(
      await createJob(token, { ...byCard, language: 'en-US', order_number: '\u202eB-77' }),
    )
    expect(page).toContain('<bdi>B-77</bdi>')
    expect(page).toContain('>$12.50<')
  })

  it('speaks the language of the browser if it lacks that of the order', async () => {
    const { paymentJob } = await createJob(token, { language: 'ast' })
    const response = await send(`/receipt/${paymentJob}`, { headers: { 'accept-language': 'de' } })
    expect(await response.text()).toContain('<html lang="de"')
  })

  it('shows the amount paid in addition to the amount due only if it differs', async () => {
    const paidRow = '<dt>Ontvangen</dt>'
    const whole = await paidJob()
    expect(await receiptOf(whole)).not.toContain(paidRow)
    const part = await createJob(token)
    expect(await receiptOf(part)).not.toContain(paidRow)
    const answer = { is: 'observed', status: 'PENDING', paid: 500, expiresAt: null } as const
    await recordAnswer(part.paymentJob, answer, 'return')
    expect(await receiptOf(part)).toContain(paidRow)
  })

  it('says in sentences what the customer can do if nothing was paid', async () => {
    const job = await createJob(token)
    await payAs(job.payUrl, 'failed')
    const texts = textsIn('nl')
    expect(await receiptOf(job)).toContain(`${texts.free} ${texts.retry}`)
    const japanese = await createJob(token, { language: 'ja' })
    await payAs(japanese.payUrl, 'failed')
    expect(await receiptOf(japanese)).toContain(textsIn('ja').free + textsIn('ja').retry)
  })

  it.each(['failed', 'canceled', 'expired'] as const)(
    'is not offered if the payment is %s',
    async (outcome) => {
      const job = await createJob(token)
      await payAs(job.payUrl, outcome)
      expect(await (await send(`/pay/${job.paymentJob}`)).text()).not.toContain(`/receipt/${linkIn(job)}">`)
    },
  )

  it('is linked from the page of the payUrl once that is paid, and not from itself', async () => {
    const job = await paidJob()
    const link = `<a class="link" href="/receipt/${linkIn(job)}">`
    expect(await (await send(`/pay/${job.paymentJob}`)).text()).toContain(link)
    expect(await receiptOf(job)).not.toContain(link)
  })

  it('is the same page every time, and asks no PSP', async () => {
    const job = await paidJob()
    const before = await stored(job.paymentJob)
    expect(await receiptOf(job)).toBe(await receiptOf(job))
    expect((await send(`/receipt/${job.paymentJob}`, { method: 'HEAD' })).status).toBe(200)
    expect((await stored(job.paymentJob)).steps).toEqual(before.steps)
  })

  it('has no personal data, and no address of the shop except the way back', async () => {
    const page = await receiptOf(await paidJob({ ip_address: '198.51.100.23' }))
    expect(page).not.toContain('198.51.100.23')
    expect(page).not.toContain('shop.nl/report')
    expect(page).not.toMatch(/ideal|tr_[0-9a-f]{8}/)
  })

  it('shows what was refunded, and what is on its way back', async () => {
    const job = await paidJob({ language: 'en' })
    const refunds = `/v2/paymentjobs/${job.paymentJob}/refunds`
    const refunded = await askWith(token, 'POST', refunds, { amount: '5.00' })
    expect(refunded.status).toBe(201)
    const page = await receiptOf(job)
    expect(page).toMatch(/<dt>(Refunded|Refund on its way)<\/dt><dd><bdi>€5\.00<\/bdi><\/dd>/)
    const { PART_REFUNDED, REFUNDING, received } = textsIn('en')
    expect(page).toMatch(new RegExp(`<h1>(${PART_REFUNDED}|${REFUNDING})</h1>`))
    expect(page).not.toContain(received)
  })

  it('says if another payment of the order was paid too, in a page that is open already as well', async () => {
    const job = await paidJob({ language: 'en' })
    const { twice, contact } = textsIn('en')
    const shown = async () => {
      const page = await receiptOf(job)
      return [page.includes(twice), page.includes(contact), page.match(/data-shown="[^"]*"/)?.[0]]
    }
    const before = await shown()
    expect(before).toEqual([false, false, expect.any(String)])
    await objectOf(job.paymentJob).tell({ do: 'record-also-paid', job: crypto.randomUUID(), paid: 1250 })
    expect(await shown()).toEqual([true, true, expect.not.stringContaining(String(before[2]))])
  })

  it('leads on to pay an open order, and not one that is over', async () => {
    const job = await createJob(token, { language: 'en' })
    const before = await receiptOf(job)
    expect(before).toContain('<h1>This order is not paid yet</h1>')
    expect(before).not.toContain('<p></p>')
    expect(before).toContain(`<a class="button" href="${job.payUrl}">Pay now</a>`)
    await payAs(job.payUrl, 'canceled')
    const after = await receiptOf(job)
    expect(after).toContain('<h1>The payment was cancelled</h1>')
    expect(after).not.toContain('/pay/')
  })

  it('is loaded again by a browser without scripts as long as it may change', async () => {
    const job = await createJob(token)
    const address = `/receipt/${linkIn(job)}`
    const open = await receiptOf(job)
    expect(open).toContain(`<noscript><meta http-equiv="refresh" content="15; url=${address}"/></noscript>`)
    expect(await refreshOf(await send(address))).toBe(address)
    await payAs(job.payUrl, 'paid')
    expect(await refreshOf(await send(address))).toBeNull()
  })

  it('names the script that keeps it up to date, and may load nothing else', async () => {
    const link = linkIn(await createJob(token))
    const response = await send(`/receipt/${link}`)
    expect(await response.text()).toContain(
      `<main data-page="/receipt/${link}" data-live="/receipt/${link}/events" data-shown="`,
    )
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'self'; connect-src 'self'; form-action http: https:; frame-ancestors 'none'; base-uri 'none'$/,
    )
  })

  it('is unknown once the job is purged', async () => {
    const { paymentJob: id } = await paidJob()
    // A job whose report waits is not purged.
    await untilNothingIsDue(id)
    for (let rings = 0; rings < 5 && (await objectOf(id).read()); rings++) {
      await ringNext(id).catch(() => undefined)
      await wakeJob(env, id)
    }
    expect((await send(`/receipt/${id}`)).status).toBe(404)
  })
})

describe('the name of the shop', () => {
  it('is the new one once the operator changes it', async () => {
    const job = await paidJob()
    await operate('POST', `/pos/${pos.id}`, { name: 'Bäckerei <Müller>' })
    const page = await receiptOf(job)
    expect(page).toContain('Terug naar <bdi>Bäckerei &lt;Müller></bdi>')
    expect(page).not.toContain('Shop 1')
  })
})

describe('a receipt that does not exist', () => {
  it('says what to do, in the language of the browser', async () => {
    const response = await send(`/receipt/${crypto.randomUUID()}`, { headers: { 'accept-language': 'fi' } })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Tarkista, että linkki on kokonainen')
    expect((await send('/receipt/nonsense')).status).toBe(404)
  })

  it('counts as a payment that does not exist', async () => {
    vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit').mockResolvedValueOnce({ success: false })
    const refused = await send(`/receipt/${crypto.randomUUID()}`)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe(String(UNKNOWN_QUOTAS.unknownJobsPerAddress.period))
  })
})
