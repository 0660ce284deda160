import { type AccountHealth, HubHealth, type PartHealth } from '../../contract/hub-health.ts'
import type { FailingShop } from '../../contract/failing-reports.ts'
import { hubCommand } from './hub-command.ts'
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
  run: (api, { check = false }) => api(HubHealth, 'GET', `/health${check ? '?check=1' : ''}`),
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
