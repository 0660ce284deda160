import { describe, expect, it } from 'vitest'
import { onePaymentAnswer } from './answers/payment.ts'
import { JOB, POS } from './answers/world.ts'
import { get, post } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

const TERMINALS = '/console/accounts/mollie-nl/terminals'

async function htmlOf(path: string, api = operatorApiDouble()): Promise<string> {
  return (await get(path, api)).text()
}

/** Submits a form, and returns the request that changed something at the API. */
async function changes(path: string, form: Record<string, string>) {
  const api = operatorApiDouble()
  const response = await post(path, api, form)
  const made = api.asked.filter(({ method }) => method === 'POST')
  return { to: response.headers.get('location'), made: made.map((one) => [one.path, one.body] as const) }
}

describe('the terminals of an account', () => {
  it('have a page that shows which are on, which shops use them, and which are gone or not added', async () => {
    const html = await htmlOf(TERMINALS)
    expect(html).toMatch(/Counter.*?term_1.*?On.*?Bäckerei Müller/s)
    expect(html).toMatch(/term_2.*?Off/s)
    expect(html).toMatch(/Terrace.*?No longer at the PSP/s)
    expect(html).toMatch(/term_4.*?Unknown.*?Not added/s)
    expect(html).not.toContain('<img src=x')
    expect(await htmlOf('/console/accounts')).toContain(`href="${TERMINALS}"`)
  })

  it('do not exist if the hub uses none, and the page says how to set some up', async () => {
    const html = await htmlOf('/console/accounts/stripe-eu/terminals')
    expect(html).toContain('Set the terminals up at the PSP.')
  })

  it('are added, renamed and removed with one call each', async () => {
    expect(await changes(`${TERMINALS}/addTerminal`, { terminal: 'term_4', name: 'Bar' })).toEqual({
      to: `${TERMINALS}?done=addTerminal`,
      made: [['/operator/v1/accounts/mollie-nl/terminals', '{"terminal":"term_4","name":"Bar"}']],
    })
    expect(await changes(`${TERMINALS}/addTerminal`, { terminal: 'term_4', name: '' })).toMatchObject({
      made: [[expect.anything(), '{"terminal":"term_4"}']],
    })
    expect(await changes(`${TERMINALS}/removeTerminal`, { terminal: 'term_2' })).toMatchObject({
      to: `${TERMINALS}?done=removeTerminal`,
      made: [['/operator/v1/accounts/mollie-nl/terminals/term_2/remove', '']],
    })
  })

  it('can be removed only if they were added', async () => {
    const html = await htmlOf(`${TERMINALS}/removeTerminal`)
    expect(html).toContain('value="term_1"')
    expect(html).not.toContain('value="term_4"')
  })
})

describe('the terminals of a point of sale', () => {
  const page = `/console/points-of-sale/${POS.de}`

  it('are on its page, with their state and the default', async () => {
    const html = await htmlOf(page)
    expect(html).toMatch(/Counter.*?term_1.*?On.*?Default/s)
    expect(html).toMatch(/term_2.*?Off/s)
    expect(html).toContain(`href="${page}/assignTerminal"`)
  })

  it.each([
    [true, false],
    [true, true],
    [false, false],
  ])('are changed with one call: %s, %s', async (isAssigned, isDefault) => {
    const { to, made } = await changes(`${page}/assignTerminal`, {
      terminal: 'term_2',
      isAssigned: String(isAssigned),
      isDefault: String(isDefault),
    })
    expect(to).toBe(`${page}?done=assignTerminal`)
    expect(made.map(([path, body]) => [path, JSON.parse(body)])).toEqual([
      [`/operator/v1/pos/${POS.de}/terminals`, { terminal: 'term_2', isAssigned, isDefault }],
    ])
  })

  it('cannot be changed by a viewer', async () => {
    const html = await htmlOf(page, operatorApiDouble({ role: 'viewer' }))
    expect(html).not.toContain(`href="${page}/assignTerminal"`)
  })
})

it('a payment at a terminal shows where it stands, the tip and the card, and no more of the card', async () => {
  const path = `GET /jobs/${JOB}`
  const job = onePaymentAnswer({ now: Date.now(), role: 'operator', todo: 'nothing' })[path] as object
  const more = {
    terminal: { id: 'term_1', state: 'card-read' },
    stage: 'card-read',
    amountTip: '1.00',
    card: { brand: 'visa', lastFour: '4242', entryMode: 'contactless' },
  }
  const html = await htmlOf(
    `/console/payments/${JOB}`,
    operatorApiDouble({ answers: { [path]: { ...job, ...more } } }),
  )
  expect(html).toContain('term_1')
  expect(html).toContain('visa, •••• 4242, contactless')
  expect(html).toMatch(/Tip.*?1\.00/s)
  expect(html).toContain('The terminal has read the card')
})
