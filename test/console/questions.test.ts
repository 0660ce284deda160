import { describe, expect, it } from 'vitest'
import { OPERATOR_OPERATIONS } from '../../src/contract/operator-operations.ts'
import { JOB, POS } from './answers/world.ts'
import { get, post } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

const SHOP = `/console/points-of-sale/${POS.de}`

async function questionAt(path: string): Promise<string> {
  const html = await (await get(path, operatorApiDouble())).text()
  return /<section class="confirm"[^]*?<\/section>/.exec(html)?.[0] ?? ''
}

/** Submits a form, and returns the body that the API gets. */
async function bodyOf(path: string, form: [name: string, value: string][]): Promise<unknown> {
  const api = operatorApiDouble()
  await post(path, api, form)
  return JSON.parse(api.asked.find(({ method }) => method === 'POST')?.body ?? 'null')
}

describe('a question in the words of the contract', () => {
  it.each([
    [`${SHOP}/disablePointOfSale`, 'disablePointOfSale', 'Bäckerei Müller'],
    ['/console/accounts/mollie-nl/checkAccount', 'checkAccount', 'mollie-nl'],
    [`/console/payments/${JOB}/pullJob`, 'pullJob', 'A-1001'],
  ] as const)('says what it does, and to what: %s', async (path, does, subject) => {
    const { summary, description } = OPERATOR_OPERATIONS[does]
    const html = await questionAt(path)
    expect(html).toContain(`<h1>${summary}</h1>`)
    expect(html.replaceAll(/<\/?code>/g, '`')).toContain(description)
    expect(html).toContain(subject)
  })

  it('has a field for each member: a text, a choice, a tick, a list to tick', async () => {
    const html = await questionAt('/console/points-of-sale/createPointOfSale')
    expect(html).toMatch(/<input [^>]*name="name" [^>]*required/)
    expect(html).toMatch(/<select name="mode"><option value="test" selected/)
    expect(html).toMatch(
      /name="signReturn" value="false"[^]*type="checkbox" name="signReturn" value="true"\/>/,
    )
    expect(html).toMatch(/type="checkbox" name="can" value="refund"\/>/)
  })

  it('leaves as it is what a change does not name', async () => {
    const path = `${SHOP}/changePointOfSale`
    expect(await questionAt(path)).toMatch(/<select name="dialect"><option value selected[^>]*>–</)
    const unchanged = { dialect: '', signReturn: '', refundLimits: '' }
    expect(await bodyOf(path, [...Object.entries(unchanged), ['name', 'New']])).toEqual({ name: 'New' })
  })

  it.each([
    [[['refundLimits', 'EUR 500.00, USD 1.00']], { refundLimits: ['EUR 500.00', 'USD 1.00'] }],
    [[['refundLimits', 'none']], { refundLimits: [] }],
    [[['signReturn', 'false']], { signReturn: false }],
  ] as const)('sends lists, switches and numbers as the API reads them: %j', async (form, body) => {
    expect(
      await bodyOf(
        `${SHOP}/changePointOfSale`,
        form.map(([...pair]) => pair),
      ),
    ).toEqual(body)
  })

  it('sends all rights that were ticked, and none that were not', async () => {
    const form: [string, string][] = [
      ['can', 'read'],
      ['can', 'capture'],
    ]
    expect(await bodyOf(`${SHOP}/addApiKey`, form)).toEqual({ can: ['read', 'capture'] })
    expect(await bodyOf(`${SHOP}/rotateSigningSecret`, [['overlapHours', '12']])).toEqual({
      overlapHours: 12,
    })
  })

  it.each([
    ['eur, usd', ['EUR', 'USD']],
    ['', null],
  ])('takes currencies in any letters, and none for all: %j', async (currencies, sent) => {
    const path = '/console/accounts/mollie-nl/changeCurrencies'
    expect(await bodyOf(path, [['currencies', currencies]])).toEqual({ currencies: sent })
  })

  it('asks which PSP before it asks for the credentials of an account there', async () => {
    const path = '/console/accounts/addAccount'
    expect(await questionAt(path)).not.toContain('password')
    const api = operatorApiDouble()
    const html = await (await post(path, api, { psp: 'mollie' })).text()
    expect(html).toMatch(/type="password" name="credential.apiKey" required/)
    expect(api.asked.map(({ method }) => method)).not.toContain('POST')
    const form = {
      psp: 'mollie',
      sure: 'yes',
      id: 'x',
      mode: 'test',
      currencies: '',
      'credential.apiKey': 'k',
    }
    expect(await bodyOf(path, Object.entries(form))).toEqual({
      id: 'x',
      mode: 'test',
      psp: 'mollie',
      currencies: null,
      credentials: { apiKey: 'k' },
    })
  })
})
