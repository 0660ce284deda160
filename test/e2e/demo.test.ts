import { expect, inject, it } from 'vitest'
import { playPayment } from '../../src/tools/demo/demo-payment.ts'
import { exchanger } from '../../src/tools/demo/exchange.ts'
import { openShop } from '../../src/tools/demo/shop.ts'
import { TABLE, answerValidator } from '../openapi/compile.ts'
import { judgeReport } from '../support/openapi/judge.ts'

it('the demo pays, and each answer and the report are as the OpenAPI document promises', async () => {
  const hub = inject('hub')
  const shop = await openShop()
  const asked: string[] = []
  const tell = {
    step: () => {},
    detail: () => {},
    checked: () => {},
    plain: () => {},
    failed: () => {},
    exchange: (_: string, method: string, address: string, status: number) =>
      void asked.push(`${method} ${address} ${status}`),
  }
  try {
    const operatorToken = hub.secrets['OPERATOR_TOKEN'] ?? ''
    await playPayment({ hubUrl: hub.url, exchange: exchanger(hub.url, tell), tell, operatorToken, shop })
    expect(asked).toContain('POST /v2/paymentjobs 201')
    const { headers, body } = await shop.report
    expect(judgeReport(TABLE, answerValidator(), new Headers(headers), body)).toEqual([])
  } finally {
    shop.close()
  }
})
