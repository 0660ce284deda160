import { AlertList, AlertSecret, AlertTested } from '../../contract/hub-health.ts'
import { hubCommand } from './hub-command.ts'

const OFF = 'Nobody is told: the hub has no ALERT_URL.'

export const alertList = hubCommand({
  name: 'alert list',
  does: 'lists the shops and accounts that fail, and those that were well again last',
  example: 'alert list',
  args: {},
  run: (api) => api(AlertList, 'GET', '/alerts'),
  show: ({ isOn, alerts }, view) =>
    [
      ...(isOn ? [] : [OFF]),
      alerts.length === 0
        ? 'There has been no alert yet.'
        : view.table(
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
  run: (api) => api(AlertTested, 'POST', '/alerts/test'),
  succeeds: ({ delivered }) => delivered,
  show: ({ delivered, outcome }) =>
    delivered ? `The receiver took it: ${outcome}.` : `The receiver did not take it: ${outcome}.`,
})

export const alertSecret = hubCommand({
  name: 'alert secret',
  does: 'shows the secret that your receiver checks alerts with',
  example: 'alert secret',
  args: {},
  run: (api) => api(AlertSecret, 'POST', '/alerts/secret'),
  show: ({ signingSecret }) => `Signing secret  ${signingSecret}`,
})
