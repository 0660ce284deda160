import type { Notifications } from '../contract/accounts.ts'
import type { HubHealth } from '../contract/hub-health.ts'
import type { Mode } from '../contract/values.ts'
import { flag, group } from '../programs/program.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { ask } from './operator-api.ts'
import type { View } from '../programs/view.ts'

/** Returns whether notifications of an account's payments fail to arrive. */
export function isDeaf({ state }: Notifications): boolean {
  return state === 'missing' || state === 'refused'
}

/** Says whether an account's notifications come. */
export function notificationsIn(id: string, { state, last }: Notifications, { time }: View): string {
  switch (state) {
    case 'working':
      return `Its notifications come: the last one counted was of ${time(last).slice(0, 10)} or later.`
    case 'refused':
      return `Its notifications have a wrong signature: compare its HMAC key or signing secret (psp rekey ${id}).`
    case 'missing':
      return `It has paid payments, but no notification has ever come: psp webhook ${id}`
    case 'none':
      return 'No notification has come yet.'
  }
}

/** Returns whether the hub is well. Faults in test mode do not count. */
function isWell({ state, accounts, shops }: HubHealth): boolean {
  const isTest = ({ mode }: { mode: Mode }) => mode === 'test'
  return (
    state === 'working' &&
    shops.every(isTest) &&
    accounts.every(
      (account) =>
        isTest(account) || (['working', 'unknown'].includes(account.state) && !isDeaf(account.notifications)),
    )
  )
}

export const status = hubCommand({
  does: 'show the health of the hub: its parts, its accounts, and shops whose reports fail',
  example: '--check',
  args: { check: flag('ask each PSP now') },
  run: ({ check }) => ask('showHubHealth', { query: { check: check ? '1' : undefined } }),
  succeeds: isWell,
  show: showHealth,
})

/** Makes a row of the table, without the texts that are missing. */
function line(state: string, what: string, ...texts: (string | false | null)[]): string[] {
  return [state, what, texts.filter((text) => typeof text === 'string').join(', ')]
}

export function showHealth(health: HubHealth, view: View): string {
  const { time } = view
  return view.table(
    ['state', 'what', ''],
    [
      line(health.state, 'hub', `release ${health.version}`),
      ...health.parts.map(({ state, part, milliseconds, message }) =>
        line(state, part, milliseconds !== null && `${milliseconds} ms`, message),
      ),
      ...health.accounts.map(({ state, account, psp, mode, since, message, notifications, waiting }) =>
        line(
          state,
          `account ${account}`,
          `${psp}, ${mode}`,
          since === null ? 'not checked yet' : `since ${time(since)}`,
          message,
          isDeaf(notifications) && notificationsIn(account, notifications, view),
          waiting > 0 && `${count(waiting, 'payment waits', 'payments wait')} for it`,
        ),
      ),
      ...health.unknownAccounts.map(({ account, count: times, last }) =>
        line(
          'unknown',
          `account ${account}`,
          `${count(times, 'notification names', 'notifications name')} it, which the hub does not have: ` +
            `the last at ${time(last)}. Correct the webhook at the PSP`,
        ),
      ),
      ...health.unapplied.live.map(({ currency, amount, payments }) =>
        line(
          'due',
          'your move',
          `${currency} ${amount} of ${count(payments, 'payment', 'payments')} pays no order`,
          'job list --unapplied',
        ),
      ),
      ...health.reservedEndsSoon.live.map(({ currency, amount, payments }) =>
        line(
          'due',
          'ends soon',
          `${currency} ${amount} of ${count(payments, 'payment', 'payments')} is reserved for less than a day`,
          'job list --ends-within 24h',
        ),
      ),
      ...health.credentials.map(({ kind, name, state, created, expires }) =>
        line(
          'due',
          kind === 'api-key' ? 'API key' : 'operator token',
          `${name}: ${state === 'old' ? 'more than a year old' : `${state === 'ended' ? 'ended' : 'ends'} at ${time(expires)}`}`,
          `made at ${time(created)}`,
        ),
      ),
      // The most important text comes first, because a narrow terminal cuts the rest.
      ...health.shops.map(({ pos, name, mode, owed, givenUp, since, lastOutcome }) =>
        line(
          'failing',
          `shop ${name}`,
          mode === 'test' && 'test mode',
          lastOutcome !== null && `its receiver answered: ${lastOutcome}`,
          `${count(owed, 'report', 'reports')} not delivered since ${time(since)}`,
          `${givenUp} given up within a day`,
          pos,
        ),
      ),
    ],
  )
}

const show = operationCommand('showSettings')

export const settings = group('the settings of the hub', 'show', { show })

const list = operationCommand('listAlerts')

const test = operationCommand('testAlert', {
  succeeds: ({ delivered }) => delivered,
})

const secret = operationCommand('showAlertSecret')

export const alert = group('the alerts that the hub sends you', 'test', { list, test, secret })
