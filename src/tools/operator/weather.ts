import { type AccountWeather, Weather } from '../../contract/hub-health.ts'
import { hubCommand } from './hub-command.ts'
import type { View } from './view.ts'

function rowOf(
  {
    state,
    account,
    psp,
    mode,
    paymentMethod,
    asked,
    missed,
    availability,
    p50,
    p95,
    since,
    lastFault,
  }: AccountWeather,
  { time }: View,
): string[] {
  return [
    state,
    account,
    mode === 'test' ? `${psp}, test` : psp,
    paymentMethod,
    String(asked),
    String(missed),
    availability === null ? '' : `${(availability * 100).toFixed(2)} %`,
    milliseconds(p50),
    milliseconds(p95),
    state === 'well' ? '' : time(since),
    time(lastFault),
  ]
}

function milliseconds(ms: number | null): string {
  return ms === null ? '' : `${ms} ms`
}

export const weather = hubCommand({
  name: 'weather',
  does: 'shows how accounts take orders: whether they answer now, how often and how fast they did',
  example: 'weather',
  args: {},
  run: (api) => api(Weather, 'GET', '/weather'),
  succeeds: ({ accounts }) => accounts.every(({ state }) => state === 'well' || state === 'unknown'),
  show: ({ from, to, accounts }, view) =>
    accounts.length === 0
      ? `No account was asked from ${view.time(from)} to ${view.time(to)}. The sandbox is not among them.`
      : [
          `How accounts took orders from ${view.time(from)} to ${view.time(to)}:`,
          '',
          view.table(
            [
              'state',
              'account',
              'PSP',
              'method',
              'asked',
              'missed',
              'took',
              'half within',
              '95 % within',
              'since',
              'last fault',
            ],
            accounts.map((account) => rowOf(account, view)),
          ),
        ].join('\n'),
})
