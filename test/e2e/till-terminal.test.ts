import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { expectUsable, violationsOf } from './accessibility.ts'
import { openPos } from './clients.ts'
import { sharedBrowser } from './page.ts'
import { COUNTER, TERRACE, playTerminals } from './played-terminals.ts'
import { LOOKS, openTillPage, openTillWith, waitForText } from './till-page.ts'

const hub = inject('hub')
const chromium = sharedBrowser()

/** Counts the notes of all sounds that the page plays. */
const LISTEN = `window.heard = []; window.AudioContext = class extends AudioContext {
  createOscillator() { const tone = super.createOscillator(); queueMicrotask(() => window.heard.push(tone.frequency.value)); return tone } }`

const OTHER = '7d1e6c02-8f4b-4a57-b0d3-2e9c5a1f6b48'
const CARD = { brand: 'visa', lastFour: '4242', entryMode: 'contactless', authorisationCode: '771503' }

/** A till whose hub has the terminals that the test plays. */
async function openTill(how: Parameters<typeof playTerminals>[1] = {}) {
  const { page, wrongs } = await openTillPage(chromium.browser)
  await page.addInitScript(LISTEN)
  const terminal = await playTerminals(page, how)
  const pos = await openPos(hub, { name: 'Bakery' })
  await openTillWith(page, hub, pos)
  await page.getByLabel('Amount').waitFor()
  return { page, wrongs, terminal, pos }
}

/** Requests 12.50 at a terminal, by keyboard only. */
async function sell(page: Page): Promise<void> {
  await page.getByLabel('QR code').press('ArrowDown')
  await page.getByLabel('Amount').fill('12,50')
  await page.keyboard.press('Enter')
}

const word = (page: Page, text: string) => waitForText(page, '.standing .word', text)
const heard = (page: Page) => page.evaluate<number[]>('window.heard.splice(0)')

describe('the till at a card terminal', () => {
  it('sells with the keyboard: it shows in large words how far the customer is, and rings when it is paid', async () => {
    const { page, wrongs, terminal } = await openTill()
    await sell(page)
    await word(page, 'Asking the terminal')
    expect(terminal.placed[0]?.order).toMatchObject({ terminal: 'counter', amount: '12.50' })
    expect(terminal.placed[0]?.order).not.toHaveProperty('payment_method')
    expect(await page.getByAltText('QR code of the payment link').count()).toBe(0)
    for (const [state, words] of [
      ['waiting-for-card', 'Waiting for the card'],
      ['card-read', 'Card read'],
      ['authorising', 'Asking the bank'],
    ] as const) {
      terminal.become({ state })
      await word(page, words)
    }
    expect(await heard(page)).toEqual([])
    const end = Date.now()
    terminal.become({ status: 'SUCCESS', amountPaid: '12.50', card: CARD })
    await page.locator('.standing.good').waitFor({ timeout: 1000 })
    expect(Date.now() - end).toBeLessThan(1000)
    await word(page, 'Paid')
    await expect.poll(() => heard(page)).toHaveLength(2)
    await page.keyboard.press('Enter')
    await page.getByLabel('Amount').waitFor()
    expect(wrongs).toEqual([])
  })

  it("has a receipt to print: the amount paid, the tip, and the PSP's details of the card", async () => {
    const { page, terminal } = await openTill()
    await sell(page)
    await word(page, 'Asking the terminal')
    terminal.become({ status: 'SUCCESS', amountPaid: '13.75', amountTip: '1.25', card: CARD })
    await word(page, 'Paid')
    await page.emulateMedia({ media: 'print' })
    const printed = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
    for (const said of [
      'Bakery',
      'TEST',
      '€12.50',
      '€1.25',
      '€13.75',
      'Visa •••• 4242',
      'contactless',
      '771503',
    ])
      expect(printed).toContain(said)
    for (const ofTheTill of ['Next order', 'Refund', 'Trace', 'sound'])
      expect(printed).not.toContain(ofTheTill)
  })

  it('offers another terminal for the same order where one is busy, and rings differently', async () => {
    const { page, terminal } = await openTill({
      first: { status: 'FAILURE', error: 'terminal_busy: At work. No money was taken.' },
    })
    await sell(page)
    await word(page, 'Not paid')
    await waitForText(page, '.standing', 'No money was taken: the terminal is busy.')
    const [low = 0] = await heard(page)
    expect(low).toBeLessThan(500)
    await page.keyboard.press('Enter')
    await page.getByLabel('Card terminal').last().waitFor()
    expect(await page.locator('#terminal').inputValue()).toBe('terrace')
    await page.keyboard.press('Enter')
    await expect.poll(() => terminal.placed.length).toBe(2)
    const [before, after] = terminal.placed
    expect(after?.order).toMatchObject({
      terminal: 'terrace',
      amount: '12.50',
      order_number: before?.order['order_number'],
      order_id: before?.order['order_id'],
    })
    expect(after?.key).not.toBe(before?.key)
    await word(page, 'Not paid')
    terminal.become({ status: 'SUCCESS', amountPaid: '12.50', alsoPaidBy: [OTHER] })
    await page.getByText('This order was paid more than once').waitFor()
  })

  it('cancels as a wish: the payment ends as the PSP says', async () => {
    const { page, terminal } = await openTill({ first: { state: 'waiting-for-card' } })
    await sell(page)
    await word(page, 'Waiting for the card')
    await page.getByRole('button', { name: 'Cancel the order of €12.50' }).click()
    await word(page, 'Cancelling')
    await expect.poll(terminal.cancels).toBe(1)
    expect(await page.getByRole('button', { name: /^Cancel|^Next/ }).count()).toBe(0)
    terminal.become({ status: 'SUCCESS', amountPaid: '12.50' })
    await word(page, 'Paid')
  })

  it('says in doubt that nobody may take the money again, and what to do; also after a reload', async () => {
    const { page, terminal } = await openTill()
    await sell(page)
    await word(page, 'Asking the terminal')
    terminal.become({ state: 'unknown', knownBy: '2031-03-04T12:00:00.000000Z' })
    await word(page, 'Do not take the money again')
    await waitForText(page, '.standing', 'Look at the terminal.')
    await expect.poll(() => heard(page)).toHaveLength(2)
    expect(await page.getByRole('button', { name: /^Cancel/ }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Next order' }).waitFor()
    await page.reload()
    await word(page, 'Do not take the money again')
    terminal.become({ status: 'SUCCESS', amountPaid: '12.50' })
    await word(page, 'Paid')
    expect(terminal.placed).toHaveLength(1)
    // Nobody has touched the page since it was loaded.
    await page.waitForTimeout(500)
    expect(await heard(page)).toEqual([])
  })

  it("shows the terminal's state for an order of the day, which the list does not have", async () => {
    const { page, terminal } = await openTill({ first: { state: 'waiting-for-card' } })
    await sell(page)
    await word(page, 'Waiting for the card')
    await page.getByRole('button', { name: 'Today' }).click()
    await waitForText(page, 'td .hint', 'Waiting for the card')
    terminal.become({ state: 'unknown', knownBy: '2031-03-04T12:00:00.000000Z' })
    await waitForText(page, 'td .hint', 'Do not take the money again')
    terminal.become({ status: 'SUCCESS', amountPaid: '12.50' })
    await waitForText(page, 'tbody.way', 'Card terminal112.500.0012.50')
  })

  it('of which nobody knows whether it took the money says so after the end, too, and is not tried again', async () => {
    const { page, terminal } = await openTill({ first: { state: 'waiting-for-card' } })
    await sell(page)
    await word(page, 'Waiting for the card')
    terminal.become({ status: 'FAILURE', state: 'unknown', error: 'perhaps_charged: Look.' })
    await word(page, 'Do not take the money again')
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Today' }).click()
    await waitForText(page, 'td .hint', 'Do not take the money again')
  })

  it('sends an order again whose answer a reload lost, with the same key: one payment', async () => {
    const { page, terminal } = await openTill()
    terminal.mute(true)
    await sell(page)
    await expect.poll(() => terminal.placed.length).toBe(1)
    terminal.mute(false)
    await page.reload()
    await word(page, 'Asking the terminal')
    const [before, after] = terminal.placed
    expect(after?.key).toBe(before?.key)
    expect(after?.order['order_number']).toBe(before?.order['order_number'])
  })

  it('lists the default first, says which is off or busy, and begins with the last in each new tab', async () => {
    const busy = { ...TERRACE, id: 'bar', name: 'Bar', busyWith: '0c2f7a5e-3d4b-4c1a-9f00-5a6b7c8d9e0f' }
    const terminals = [{ ...TERRACE, isOn: false }, busy, COUNTER]
    const { page, pos } = await openTill({ terminals, first: { state: 'waiting-for-card' } })
    await page.getByLabel('QR code').press('ArrowDown')
    const select = page.locator('#terminal')
    expect(await select.locator('option').allTextContents()).toEqual([
      'Counter',
      'A terrace – off',
      'Bar – busy',
    ])
    await select.selectOption('bar')
    await page.getByLabel('Amount').fill('1')
    await page.keyboard.press('Enter')
    await word(page, 'Waiting for the card')
    const other = await page.context().newPage()
    await playTerminals(other, { terminals })
    await openTillWith(other, hub, pos)
    await other.getByLabel('Amount').waitFor()
    expect(await other.locator('#terminal').inputValue()).toBe('bar')
    // The other point of sale has no terminals.
    await other.unroute('**/v2/terminals')
    await playTerminals(other, { terminals: [] })
    await other.reload()
    await other.getByLabel('Payment method').waitFor()
    expect(await other.getByLabel('Card terminal').count()).toBe(0)
  })

  it('is silent for a device whose cashier turned the sound off', async () => {
    const { page, terminal } = await openTill()
    await page.getByRole('button', { name: 'Turn the sound off' }).click()
    await sell(page)
    await word(page, 'Asking the terminal')
    terminal.become({ status: 'CANCELLED' })
    await word(page, 'Cancelled')
    await page.getByRole('button', { name: 'Turn the sound on' }).waitFor()
    await page.waitForTimeout(500)
    expect(await heard(page)).toEqual([])
  })

  it('has no fault that axe finds, in each state, on a phone in the dark and at a desk in the light', async () => {
    const { page, terminal, wrongs } = await openTill()
    await page.getByLabel('QR code').press('ArrowDown')
    const looks = [...LOOKS, { width: 360, colorScheme: 'light' as const }]
    await expectUsable(page, looks)
    await page.getByLabel('Amount').fill('12,50')
    await page.keyboard.press('Enter')
    await word(page, 'Asking the terminal')
    await expectUsable(page, looks)
    terminal.become({ state: 'unknown', knownBy: '2031-03-04T12:00:00.000000Z' })
    await word(page, 'Do not take the money again')
    await expectUsable(page, looks)
    terminal.become({ status: 'FAILURE', error: 'declined: 05. No money was taken.' })
    await word(page, 'Not paid')
    await expectUsable(page, looks)
    terminal.become({ status: 'SUCCESS', amountPaid: '13.75', amountTip: '1.25', card: CARD })
    await word(page, 'Paid')
    await expectUsable(page, looks)
    expect(wrongs).toEqual([])
  })
})

describe('a till with an open payment', () => {
  it('asks before it closes, and shows how the payment ended when it is next opened, once', async () => {
    const { page, terminal, pos } = await openTill({ first: { state: 'waiting-for-card' } })
    await sell(page)
    await word(page, 'Waiting for the card')
    const close = page.getByRole('button', { name: 'Close the till' })
    await close.click()
    await page.getByRole('dialog', { name: /how a payment ended/ }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await word(page, 'Waiting for the card')
    await close.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close the till' }).click()
    await page.getByLabel('API key of a point of sale').waitFor()
    terminal.become({ status: 'SUCCESS', amountPaid: '12.50' })
    await openTillWith(page, hub, pos)
    await word(page, 'Paid')
    await page.getByRole('button', { name: 'Next order' }).click()
    await close.click()
    await openTillWith(page, hub, pos)
    await page.getByLabel('Amount').waitFor()
  })

  it('that is closed while the order is on its way shows it at the next opening, and keeps no key', async () => {
    const { page, terminal, pos } = await openTill()
    const held = Promise.withResolvers<void>()
    await page.route('**/v2/paymentjobs', async (route) => {
      await held.promise
      await route.fallback()
    })
    await sell(page)
    await page.getByRole('button', { name: 'Close the till' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close the till' }).click()
    held.resolve()
    await expect.poll(() => terminal.placed.length).toBe(1)
    await page.waitForTimeout(300)
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await openTillWith(page, hub, pos)
    await word(page, 'Asking the terminal')
  })
})

describe('the till at a terminal of the sandbox', () => {
  it('sells, and the day counts it as taken at that terminal, with its tip', async () => {
    const { page, wrongs } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await page.getByLabel('QR code').press('ArrowDown')
    await page.getByText('More of the order').click()
    await page.getByLabel('Order number').fill('A-1 sandbox-tip')
    await page.getByLabel('Amount').fill('12,50')
    await page.keyboard.press('Enter')
    await word(page, 'Paid')
    await waitForText(page, '.receipt', '€13.75')
    await page.getByRole('button', { name: 'Today' }).click()
    await waitForText(page, 'tbody.way', 'Card terminalTip €1.25113.750.0013.75')
    await waitForText(page, 'tbody.part', 'Counter 1113.750.0013.75')
    expect(wrongs).toEqual([])
  })

  it('is refused one that is off, and no money is taken', async () => {
    const { page } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await page.getByLabel('QR code').press('ArrowDown')
    await page.getByText('More of the order').click()
    await page.getByLabel('Order number').fill('A-1 sandbox-off')
    await page.getByLabel('Amount').fill('12,50')
    await page.keyboard.press('Enter')
    await waitForText(page, '.standing', 'No money was taken: the terminal is off.')
    await page.getByRole('button', { name: 'Try again' }).click()
    expect(await page.locator('#terminal').inputValue()).toBe('sandbox-2')
  })
})

describe('cash at the till', () => {
  it('of an unlikely amount is noted after a question, and a wrong amount leaves no old success', async () => {
    const { page } = await openTill()
    await page.getByLabel('Cash').check({ force: true })
    await page.getByLabel('Amount').fill('99.999.999,00')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Did you really receive' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.locator('.standing').count()).toBe(0)
    await page.getByLabel('Amount').fill('7,50')
    await page.keyboard.press('Enter')
    await word(page, 'received in cash')
    await page.getByLabel('Amount').fill('12,345')
    await page.keyboard.press('Enter')
    await page.getByText('Type the amount like this').waitFor()
    expect(await page.locator('.standing').count()).toBe(0)
  })

  it('is a note of the device, which the sum of the day shows and the hub does not know', async () => {
    const { page, terminal, wrongs } = await openTill()
    await page.getByLabel('Cash').check({ force: true })
    await page.getByLabel('Amount').focus()
    for (const amount of ['7,50', '2']) {
      await page.keyboard.type(amount)
      await page.keyboard.press('Enter')
      await word(page, 'received in cash')
    }
    await word(page, '€2.00 received in cash')
    expect(terminal.placed).toEqual([])
    await page.reload()
    await page.getByRole('button', { name: 'Today' }).click()
    await waitForText(page, 'tbody.way', 'Cash29.500.009.50')
    await waitForText(page, 'tbody.sum', '29.500.009.50')
    await page.getByText('The hub does not count it.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove' }).first().click()
    await page.getByRole('dialog', { name: /€2\.00/ }).waitFor()
    await page.keyboard.press('Enter')
    await waitForText(page, 'tbody.sum', '29.500.009.50')
    await page.getByRole('button', { name: 'Remove' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await waitForText(page, 'tbody.sum', '17.500.007.50')
    expect(wrongs).toEqual([])
  })

  it('has its change, and with less than the price nothing is noted', async () => {
    const { page, wrongs } = await openTill()
    await page.getByLabel('Cash').check({ force: true })
    await page.getByLabel('Amount').fill('12,50')
    const given = page.getByLabel('Given by the customer')
    await given.fill('12,49')
    await given.press('Enter')
    await waitForText(page, '[role=alert]', '€12.50')
    expect(await page.locator('.standing').count()).toBe(0)
    await given.fill('٢٠')
    await page.getByText('Change: €7.50').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await given.press('Enter')
    await waitForText(page, '.standing', 'Change: €7.50')
    expect(await given.inputValue()).toBe('')
    await page.getByRole('button', { name: 'Today' }).click()
    await waitForText(page, 'tbody.sum', '112.500.0012.50')
    expect(wrongs).toEqual([])
  })

  it('is counted at the end of the day: float and sales should be there, another day has none', async () => {
    const { page, wrongs } = await openTill()
    await page.getByRole('button', { name: 'Today' }).click()
    await page.getByText('Cash – EUR').click()
    await page.getByLabel('In the drawer at the start').fill('50')
    await page.getByRole('button', { name: 'Order', exact: true }).click()
    await page.getByLabel('Cash').check({ force: true })
    await page.getByLabel('Amount').fill('12,50')
    await page.keyboard.press('Enter')
    await word(page, 'received in cash')
    await page.reload()
    await page.getByRole('button', { name: 'Today' }).click()
    for (const [counted, difference] of [
      ['62,50', '0.00'],
      ['٦٠', '-2.50'],
      ['0', '-62.50'],
    ] as const) {
      await page.getByLabel('Counted at the end').fill(counted)
      await page.getByText(`Should be €62.50. Difference: ${difference}`).waitFor()
    }
    await expectUsable(page, LOOKS)
    await page.getByLabel('Day').fill('2026-01-31')
    await page.getByText('Cash – EUR').click()
    for (const name of ['In the drawer at the start', 'Counted at the end'])
      expect(await page.getByLabel(name).inputValue()).toBe('')
    expect(wrongs).toEqual([])
  })

  it('is not forgotten when the till is closed, and is no cash of another point of sale', async () => {
    const { page, pos } = await openTill()
    await page.getByLabel('Cash').check({ force: true })
    await page.getByLabel('Amount').fill('3')
    await page.keyboard.press('Enter')
    await word(page, 'received in cash')
    for (const [who, said] of [
      [await openPos(hub, { name: 'Florist' }), 'No orders.'],
      [pos, '3.00'],
    ] as const) {
      await page.getByRole('button', { name: 'Close the till' }).click()
      await openTillWith(page, hub, who)
      await page.getByRole('button', { name: 'Today' }).click()
      await waitForText(page, '.day', said)
    }
  })
})
