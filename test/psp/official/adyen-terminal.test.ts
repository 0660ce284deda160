import http from 'node:http'
import https from 'node:https'
import { Client, CloudDeviceAPI, EnvironmentEnum, TerminalCloudAPI } from '@adyen/api-library'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AT_COUNTER, TERMINALS, adyenFake } from '../../support/psps/adyen.ts'
import { serve } from './serve.ts'

const [COUNTER, OTHER_COUNTER] = TERMINALS
const { apiKey, merchantAccount } = AT_COUNTER

let fake = adyenFake()
let server: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  server = await serve((request) => fake.handle(request))
  const { port } = new URL(server.url)
  // The official client speaks only https to Adyen's host. Everything else of it is as published.
  vi.spyOn(https, 'request').mockImplementation(((options: https.RequestOptions) =>
    http.request({ ...options, protocol: 'http:', hostname: '127.0.0.1', port, agent: undefined })) as never)
})
beforeEach(() => {
  fake = adyenFake()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await server.stop()
})

function clientOf(key = apiKey) {
  return new Client({ apiKey: key, environment: EnvironmentEnum.TEST })
}
function cloud(key = apiKey) {
  return new CloudDeviceAPI(clientOf(key)).CloudDeviceApi
}

let ids = 0
/** A message of the Terminal API, in the form of the client's models. */
function message(category: string, content: object, terminal: string = COUNTER) {
  const MessageHeader = {
    ProtocolVersion: '3.0',
    MessageClass: 'Service',
    MessageCategory: category,
    MessageType: 'Request',
    ServiceID: `s${++ids}`,
    SaleID: 'official',
    POIID: terminal,
  }
  const SaleToPOIRequest = { MessageHeader, [`${category}Request`]: content }
  return { asked: { SaleToPOIRequest } as never, serviceId: MessageHeader.ServiceID }
}
function payment(terminal: string = COUNTER) {
  const job = crypto.randomUUID()
  const content = {
    SaleData: { SaleTransactionID: { TransactionID: job, TimeStamp: '2026-11-28T10:00:00.000Z' } },
    PaymentTransaction: { AmountsReq: { Currency: 'EUR', RequestedAmount: 12.5 } },
  }
  return { job, ...message('Payment', content, terminal) }
}
function about(category: string, serviceId: string, more: object = {}) {
  const MessageReference = { MessageCategory: 'Payment', SaleID: 'official', ServiceID: serviceId }
  return message(category, { ...more, MessageReference }).asked
}
const send = ({ asked }: { asked: never }) => cloud().async(merchantAccount, COUNTER, asked)
const statusOf = async (serviceId: string) => {
  const answer = await cloud().sync(merchantAccount, COUNTER, about('TransactionStatus', serviceId))
  return answer.SaleToPOIResponse?.TransactionStatusResponse
}
const endOf = async (serviceId: string) =>
  (await statusOf(serviceId))?.RepeatedMessageResponse?.RepeatedResponseMessageBody.PaymentResponse

describe('the official client, at the simulator', () => {
  it('lists the connected terminals, and sees one go off', async () => {
    expect((await cloud().getConnectedDevices(merchantAccount)).uniqueDeviceIds).toEqual(TERMINALS)
    expect((await cloud().getDeviceStatus(merchantAccount, COUNTER)).status).toBe('ONLINE')
    fake.terminals.switch(COUNTER, false)
    expect((await cloud().getDeviceStatus(merchantAccount, COUNTER)).status).toBe('OFFLINE')
    expect((await cloud().getConnectedDevices(merchantAccount)).uniqueDeviceIds).toEqual([OTHER_COUNTER])
  })

  it('has a payment passed on, and then asks about it', async () => {
    const asked = payment()
    expect(await send(asked)).toMatchObject({ Result: 'ok' })
    expect((await statusOf(asked.serviceId))?.Response.ErrorCondition).toBe('InProgress')
    fake.terminals.tap(asked.job, { tip: 1.5 })
    const paid = await endOf(asked.serviceId)
    expect(paid?.Response.Result).toBe('Success')
    expect(paid?.PaymentResult?.AmountsResp).toMatchObject({
      Currency: 'EUR',
      AuthorizedAmount: 14,
      TipAmount: 1.5,
    })
    expect(paid?.SaleData?.SaleTransactionID.TransactionID).toBe(asked.job)
    expect(paid?.PaymentResult?.PaymentInstrumentData?.CardData?.MaskedPan).toMatch(/\d{4}$/)
    expect((await statusOf('unknown'))?.Response.ErrorCondition).toBe('NotFound')
  })

  it('waits for the end of a payment if it asks synchronously', async () => {
    const asked = payment()
    const paying = cloud().sync(merchantAccount, COUNTER, asked.asked)
    await vi.waitFor(() => fake.terminals.tap(asked.job))
    expect((await paying).SaleToPOIResponse?.PaymentResponse?.Response.Result).toBe('Success')
  })

  it('sees that the terminal is busy with another payment, and with which one', async () => {
    const [first, second] = [payment(), payment()]
    await send(first)
    await send(second)
    const busy = await endOf(second.serviceId)
    expect(busy?.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'Busy' })
    expect(busy?.Response.AdditionalResponse).toContain(`serviceId=${first.serviceId}`)
    fake.terminals.tap(first.job)
    expect((await endOf(first.serviceId))?.Response.Result).toBe('Success')
  })

  it('aborts a payment until the card is through', async () => {
    const [first, second] = [payment(), payment()]
    await send(first)
    await send({ asked: about('Abort', first.serviceId, { AbortReason: 'MerchantAbort' }) })
    expect((await endOf(first.serviceId))?.Response.ErrorCondition).toBe('Aborted')
    await send(second)
    fake.terminals.read(second.job)
    await send({ asked: about('Abort', second.serviceId, { AbortReason: 'MerchantAbort' }) })
    expect((await statusOf(second.serviceId))?.Response.ErrorCondition).toBe('InProgress')
  })

  it('reads a rejection on behalf of a terminal that is off', async () => {
    fake.terminals.switch(COUNTER, false)
    const answer = await send(payment())
    expect(answer.Result).toBeUndefined()
    expect(answer.SaleToPOIRequest?.EventNotification).toMatchObject({ EventToNotify: 'Reject' })
  })

  it.each([
    ['a wrong key', 'AQE0', merchantAccount, COUNTER, 401],
    ['another account', apiKey, 'HubOtherECOM', COUNTER, 403],
    ['an unknown terminal', apiKey, merchantAccount, 'V400m-0', 404],
  ])('is refused with %s', async (_, key, account, terminal, statusCode) => {
    const { asked } = payment(terminal)
    await expect(cloud(key).async(account, terminal, asked)).rejects.toMatchObject({ statusCode })
  })

  it('reaches the same terminals at the earlier addresses', async () => {
    const old = new TerminalCloudAPI(clientOf())
    const asked = payment()
    expect(await old.async(asked.asked)).toBe('ok')
    fake.terminals.tap(asked.job)
    const status = await old.sync(about('TransactionStatus', asked.serviceId))
    expect(JSON.stringify(status)).toContain(asked.job)
  })
})
