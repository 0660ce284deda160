import type { Notifications } from '../../contract/accounts.ts'
import type { AccountHealth, HubHealth, PartHealth, UnknownAccount } from '../../contract/hub-health.ts'
import type { FailingShop } from '../../contract/failing-reports.ts'
import { flag, group } from '../program.ts'
import { count, hubCommand } from './hub-command.ts'
import { ask } from './operator-api.ts'
import type { View } from './view.ts'

function partRow({ part, state, milliseconds, message }: PartHealth): string[] {
  return [
    state,
    part,
    [...(milliseconds === null ? [] : [`${milliseconds} ms`]), ...(message === null ? [] : [message])].join(
      ', ',
    ),
  ]
}

/** Whether an account hears nothing of its payments. */
export function isDeaf({ state }: Notifications): boolean {
  return state === 'missing' || state === 'refused'
}

/** Whether an account's notifications come, in words. */
export function notificationsIn(id: string, { state, last }: Notifications, { time }: View): string {
  switch (state) {
    case 'working':
      return `Its notifications come: the last one counted was of ${time(last).slice(0, 10)} or later.`
    case 'refused':
      return `Its notifications have a wrong signature: compare its HMAC key or signing secret (psp rekey ${id}).`
    case 'missing':
      return `It has paid payments, and no notification ever came: psp webhook ${id}`
    case 'none':
      return 'No notification has come yet.'
  }
}

function accountRow(
  { account, psp, mode, state, since, message, waiting, notifications }: AccountHealth,
  view: View,
): string[] {
  const { time } = view
  return [
    state,
    `account ${account}`,
    [
      `${psp}, ${mode}`,
      ...(since === null ? ['not checked yet'] : [`since ${time(since)}`]),
      ...(message === null ? [] : [message]),
      ...(isDeaf(notifications) ? [notificationsIn(account, notifications, view)] : []),
      ...(waiting === 0 ? [] : [`${count(waiting, 'payment waits', 'payments wait')} for it`]),
    ].join(', '),
  ]
}

function unknownRow({ account, count: times, last }: UnknownAccount, { time }: View): string[] {
  return [
    'unknown',
    `account ${account}`,
    `${count(times, 'notification names', 'notifications name')} it, which the hub does not have: the last at ${time(last)}. Correct the webhook at the PSP`,
  ]
}

function shopRow({ pos, name, owed, givenUp, since, lastOutcome }: FailingShop, { time }: View): string[] {
  return [
    'failing',
    `shop ${name}`,
    [
      // What matters most stands first: a narrow terminal cuts the rest.
      ...(lastOutcome === null ? [] : [`its receiver answered: ${lastOutcome}`]),
      `${count(owed, 'report', 'reports')} not delivered since ${time(since)}`,
      `${givenUp} given up within a day`,
      pos,
    ].join(', '),
  ]
}

function isWell({ state, accounts, shops }: HubHealth): boolean {
  return (
    state === 'working' &&
    shops.length === 0 &&
    accounts.every(
      (account) => ['working', 'unknown'].includes(account.state) && !isDeaf(account.notifications),
    )
  )
}

export const status = hubCommand({
  does: 'shows how the hub is: its parts, accounts, and shops whose reports fail',
  example: '--check',
  args: { check: flag('ask each PSP now') },
  run: ({ check }) => ask('showHubHealth', { query: { check: check ? '1' : undefined } }),
  succeeds: isWell,
  show: showHealth,
})

export function showHealth(health: HubHealth, view: View): string {
  return view.table(
    ['state', 'what', ''],
    [
      [health.state, 'hub', `release ${health.version}`],
      ...health.parts.map(partRow),
      ...health.accounts.map((account) => accountRow(account, view)),
      ...health.unknownAccounts.map((account) => unknownRow(account, view)),
      ...health.shops.map((shop) => shopRow(shop, view)),
    ],
  )
}

const show = hubCommand({
  does: 'shows the settings of the hub; of a secret, whether it is set',
  run: () => ask('showSettings'),
  show: ({ version, settings: all }, view) =>
    [
      `Release ${version}`,
      '',
      view.list('', all, {
        setting: ({ name }) => name,
        value: ({ value }) => value || '(empty)',
        meaning: ({ meaning }) => meaning,
      }),
    ].join('\n'),
})

export const settings = group('the settings of the hub', 'show', { show })

const OFF = 'Nobody is told: the hub has no ALERT_URL.'

const list = hubCommand({
  does: 'lists the shops and accounts that fail, and those that were well again last',
  run: () => ask('listAlerts'),
  show: ({ isOn, alerts }, view) =>
    [
      ...(isOn ? [] : [OFF]),
      view.list('There has been no alert yet.', alerts, {
        since: ({ since }) => view.time(since),
        ended: ({ ended }) => view.time(ended) || 'not yet',
        told: ({ told }) => view.time(told) || 'not yet',
        'what fails': ({ kind, subject }) => `${kind.replace('-failing', '')} ${subject}`,
        detail: ({ detail }) => view.times(detail),
      }),
    ].join('\n'),
})

const test = hubCommand({
  does: 'sends a test message to ALERT_URL, and says what came back',
  run: () => ask('testAlert'),
  succeeds: ({ delivered }) => delivered,
  show: ({ delivered, outcome }) =>
    delivered ? `The receiver took it: ${outcome}.` : `The receiver did not take it: ${outcome}.`,
})

const secret = hubCommand({
  does: 'shows the secret that your receiver checks alerts with',
  run: () => ask('showAlertSecret'),
  show: ({ signingSecret }) => `Signing secret  ${signingSecret}`,
})

export const alert = group('what you are told of without asking', 'test', { list, test, secret })
