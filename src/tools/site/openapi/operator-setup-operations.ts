import { AFTER, body, get, post } from './operator-operation.ts'
import { type Operation, query } from './operation.ts'

/** Points of sale, accounts at PSPs, and the keys that seal their credentials. */
export const OPERATOR_SETUP_OPERATIONS: readonly Operation[] = [
  post('createPointOfSale', '/pos', 'Add a point of sale', 'NewPointOfSaleCreated', {
    ...body('NewPointOfSale'),
    status: 201,
    description: 'The answer is the only one that shows the API key.',
  }),
  get('listPointsOfSale', '/pos', 'List the points of sale, oldest first', 'PointOfSaleList'),
  post('changePointOfSale', '/pos/{id}', 'Change a point of sale', 'PointOfSale', {
    ...body('ChangedPointOfSale'),
    description: 'Another name, or signed returns on or off. It is live everywhere within two minutes.',
  }),
  post('disablePointOfSale', '/pos/{id}/disable', 'Disable a point of sale', 'PointOfSaleDisabled', {
    description: 'Its keys and tokens stop within two minutes. Its jobs are still finished.',
  }),
  post('enablePointOfSale', '/pos/{id}/enable', 'Enable a point of sale', 'PointOfSaleEnabled', {
    description: 'Its API keys work again at once. Its tokens have ended.',
  }),
  post('addApiKey', '/pos/{id}/keys', 'Add an API key', 'ApiKeyAdded', {
    status: 201,
    description: 'The key is shown once. Older keys stay live until they are revoked.',
  }),
  post('revokeApiKeys', '/pos/{id}/keys/revoke', 'End all API keys but the newest', 'ApiKeysRevoked', {
    description: 'Ends every token of the point of sale too.',
  }),
  post('rotateSigningSecret', '/pos/{id}/secret', 'Make a new signing secret', 'SigningSecretRotated', {
    ...body('NewSigningSecret', false),
    description: 'A second call within the hour gets the same secret, unless it says `again`.',
  }),
  get(
    'listPaymentRoutes',
    '/pos/{id}/routes',
    'List the payment routes of a point of sale',
    'PaymentRouteList',
  ),
  post('changePaymentRoute', '/pos/{id}/routes', 'Set or remove a payment route', 'PaymentRouteList', {
    ...body('NewPaymentRoute'),
    description:
      'The accounts that take a payment method, in the order in which they are tried. None takes the route away.',
  }),
  get('listPsps', '/psps', 'List the PSPs, and what their credentials consist of', 'PspList'),
  get('listAccounts', '/accounts', 'List the accounts at PSPs', 'AccountList'),
  post('addAccount', '/accounts', 'Add an account at a PSP', 'Account', {
    ...body('NewAccount'),
    problems: ['account-conflict'],
    status: 201,
    description: 'Its credentials are sealed, and never shown again.',
  }),
  post(
    'replaceCredentials',
    '/accounts/{id}/credentials',
    'Replace the credentials of an account',
    'CredentialsReplaced',
    {
      ...body('NewCredentials'),
      problems: ['account-conflict'],
      description: 'Live within two minutes. Its routes stay.',
    },
  ),
  post('checkAccount', '/accounts/{id}/check', 'Ask the PSP whether the credentials work', 'AccountChecked'),
  post('removeAccount', '/accounts/{id}/remove', 'Remove an account', 'AccountRemoved', {
    description: 'Not while a route leads to it, nor while it has open payments.',
    parameters: [
      query('force', 'Remove it although it has open payments, which are then lost.', { type: 'string' }),
    ],
    problems: ['account-conflict'],
  }),
  get(
    'showSealing',
    '/sealing',
    'See which credentials are not under the first sealing key',
    'SealingStatus',
    {
      parameters: [AFTER],
      problems: ['fields-invalid'],
    },
  ),
  post('rotateSealing', '/sealing/rotate', 'Seal a page of the credentials anew', 'SealingRotated', {
    parameters: [AFTER],
    problems: ['fields-invalid'],
  }),
]
