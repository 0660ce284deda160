import { type Exchange, ask } from './try-it/ask.ts'
import { showExchange, showText } from './try-it/show.ts'

/**
 * "Try it" of the guide: a test key gets a token, creates a job and reads it. The key and the token are in the memory of this
 * tab alone, and go to this hub alone. A live key is refused once the hub has said that it is one.
 */

type State = { token: string | null; job: string | null }

function start(panel: HTMLElement): void {
  const state: State = { token: null, job: null }
  const part = <Part extends HTMLElement>(name: string, kind: new () => Part): Part => {
    const found = panel.querySelector(`[data-part="${name}"]`)
    if (!(found instanceof kind)) throw new Error(`the page has no ${name}`)
    return found
  }
  const key = part('key', HTMLInputElement)
  const order = part('order', HTMLTextAreaElement)
  const answers = part('answers', HTMLElement)
  const [create, look] = [part('create', HTMLButtonElement), part('read', HTMLButtonElement)]

  const update = (): void => {
    create.disabled = state.token === null
    look.disabled = state.job === null
  }

  /** One press at a time: its button is off until the answer is there. */
  const press = (button: HTMLButtonElement, work: () => Promise<void>): void => {
    button.addEventListener('click', () => {
      button.disabled = true
      void work()
        .catch((error: unknown) => showText(answers, `No answer: ${String(error)}`, 'bad'))
        .finally(() => {
          button.disabled = false
          update()
        })
    })
  }

  press(part('token', HTMLButtonElement), async () => {
    Object.assign(state, { token: null, job: null } satisfies State)
    answers.replaceChildren()
    const exchange = await ask('GET', '/v1/guardian', key.value.trim())
    showExchange(answers, exchange)
    const { token } = membersOf(exchange)
    if (exchange.status !== 200 || typeof token !== 'string') return
    const methods = await ask('GET', '/v2/paymentmethods', token)
    const { mode, pointOfSale } = membersOf(methods)
    if (methods.status === 200 && mode === 'test') {
      state.token = token
      return
    }
    key.value = ''
    answers.replaceChildren()
    showText(answers, refusalOf(methods.status, pointOfSale), 'bad')
  })

  press(create, async () => {
    const exchange = await ask('POST', '/v2/paymentjobs', state.token ?? '', order.value)
    showExchange(answers, exchange)
    const { paymentJob, payUrl } = membersOf(exchange)
    if (exchange.status !== 201 || typeof paymentJob !== 'string') return
    state.job = paymentJob
    if (typeof payUrl === 'string')
      showText(answers, 'Pay as your customer does, then read the job: ', 'good', payUrl)
  })

  press(look, async () => {
    showExchange(answers, await ask('GET', `/v2/paymentjobs/${state.job}`, state.token ?? ''))
  })

  // Enter in the field of the key asks for a token. Nothing is ever sent by the form itself.
  part('form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault()
    part('token', HTMLButtonElement).click()
  })
  order.value = order.value.replace('TIMESTAMP', String(Math.floor(Date.now() / 1000)))
  panel.hidden = false
  update()
}

function membersOf({ body }: Exchange): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

function refusalOf(status: number, pointOfSale: unknown): string {
  if (status !== 200)
    return `The hub did not say whether this is a test key (${status}), so it is not used here.`
  const name =
    typeof pointOfSale === 'object' && pointOfSale !== null && 'name' in pointOfSale
      ? ` of ${String(pointOfSale.name)}`
      : ''
  return `This is a live key${name}: with it real money would move. It is not used here. Ask the operator for a point of sale in test mode.`
}

for (const panel of document.querySelectorAll<HTMLElement>('.try')) start(panel)
