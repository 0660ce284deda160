import type { AccountHealth, FailingShop, HubHealth, PartHealth } from '../../operator-api/contract/health.ts'
import { hubCommand } from './hub-command.ts'
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

function accountRow(
  { account, psp, mode, state, since, message, waiting }: AccountHealth,
  { time }: View,
): string[] {
  return [
    state,
    `account ${account}`,
    [
      `${psp}, ${mode}`,
      ...(since === null ? ['not checked yet'] : [`since ${time(since)}`]),
      ...(message === null ? [] : [message]),
      ...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'payment waits' : 'payments wait'} for it`]),
    ].join(', '),
  ]
}

function shopRow({ pos, name, owed, givenUp, since, lastOutcome }: FailingShop, { time }: View): string[] {
  return [
    'failing',
    `shop ${name}`,
    [
      // What matters most stands first: a narrow terminal cuts the rest.
      ...(lastOutcome === null ? [] : [`its receiver answered: ${lastOutcome}`]),
      `${owed} ${owed === 1 ? 'report' : 'reports'} not delivered since ${time(since)}`,
      `${givenUp} given up within a day`,
      pos,
    ].join(', '),
  ]
}

/** Whether all is well: also the accounts in test mode, and the receivers of shops. */
function isWell({ state, accounts, shops }: HubHealth): boolean {
  return (
    state === 'working' &&
    shops.length === 0 &&
    accounts.every((account) => ['working', 'unknown'].includes(account.state))
  )
}

export const status = hubCommand({
  name: 'status',
  does: 'shows how the hub is: its parts, accounts, and shops whose reports fail',
  example: 'status --check',
  args: { check: { type: 'boolean', description: 'ask each PSP now' } },
  run: ({ check }) => ask('showHubHealth', { query: { check: check ? '1' : undefined } }),
  succeeds: isWell,
  show: (health, view) =>
    view.table(
      ['state', 'what', ''],
      [
        [health.state, 'hub', `release ${health.version}`],
        ...health.parts.map(partRow),
        ...health.accounts.map((account) => accountRow(account, view)),
        ...health.shops.map((shop) => shopRow(shop, view)),
      ],
    ),
})

export const settingsShow = hubCommand({
  name: 'settings show',
  does: 'shows the settings of the hub; of a secret, whether it is set',
  example: 'settings show',
  args: {},
  run: () => ask('showSettings'),
  show: ({ version, settings }, view) =>
    [
      `Release ${version}`,
      '',
      view.table(
        ['setting', 'value', 'meaning'],
        settings.map(({ name, value, meaning }) => [name, value === '' ? '(empty)' : value, meaning]),
      ),
    ].join('\n'),
})

const OFF = 'Nobody is told: the hub has no ALERT_URL.'

export const alertList = hubCommand({
  name: 'alert list',
  does: 'lists the shops and accounts that fail, and those that were well again last',
  example: 'alert list',
  args: {},
  run: () => ask('listAlerts'),
  show: ({ isOn, alerts }, view) =>
    [
      ...(isOn ? [] : [OFF]),
      view.list(
        'There has been no alert yet.',
        ['since', 'ended', 'told', 'what fails', 'detail'],
        alerts.map(({ since, ended, told, kind, subject, detail }) => [
          view.time(since),
          view.time(ended) || 'not yet',
          view.time(told) || 'not yet',
          `${kind === 'shop-failing' ? 'shop' : 'account'} ${subject}`,
          view.times(detail),
        ]),
      ),
    ].join('\n'),
})

export const alertTest = hubCommand({
  name: 'alert test',
  does: 'sends a test message to ALERT_URL, and says what came back',
  example: 'alert test',
  args: {},
  run: () => ask('testAlert'),
  succeeds: ({ delivered }) => delivered,
  show: ({ delivered, outcome }) =>
    delivered ? `The receiver took it: ${outcome}.` : `The receiver did not take it: ${outcome}.`,
})

export const alertSecret = hubCommand({
  name: 'alert secret',
  does: 'shows the secret that your receiver checks alerts with',
  example: 'alert secret',
  args: {},
  run: () => ask('showAlertSecret'),
  show: ({ signingSecret }) => `Signing secret  ${signingSecret}`,
})
