import { type Operation, query } from './operation.ts'
import { AFTER, get, post } from './operator-operation.ts'

/** How the hub is, what fails, and what the operator is told of it. */
export const OPERATOR_HEALTH_OPERATIONS: readonly Operation[] = [
  get('showHubHealth', '/health', 'See how the hub is, part by part', 'HubHealth', {
    description:
      'It answers while other parts are down: each has 3 seconds. Accounts are as their last check said, which is five minutes old at most.',
    parameters: [
      query('check', '`1` asks each PSP now. It needs the role `support`.', { type: 'string', enum: ['1'] }),
    ],
  }),
  get('listFailingReports', '/reports/failing', 'List the reports that shops do not take', 'FailingReports', {
    description:
      'Those that have been owed for more than a minute, and those that were given up, oldest first; and how many there are by shop. Of a shop, a thousand are counted at most in each database of the index.',
    parameters: [query('pos', 'Of this point of sale: its id or its name.', { type: 'string' }), AFTER],
    problems: ['fields-invalid'],
  }),
  get('showSettings', '/settings', 'See the settings of the hub', 'Settings', {
    description: 'Of a secret it says whether it is set and long enough.',
  }),
  get('listAlerts', '/alerts', 'List what the operator was told of', 'AlertList', {
    description: 'Shops and accounts that fail, and the hundred that were well again last.',
  }),
  post('testAlert', '/alerts/test', 'Send a test message to ALERT_URL', 'AlertTested'),
  post('showAlertSecret', '/alerts/secret', 'See the secret that signs alerts', 'AlertSecret'),
]
