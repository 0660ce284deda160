/** What is said on the page that a change leads to. The address has the name of one of these, and no text of its own. */
const MESSAGES: Readonly<Record<string, string>> = {
  pulled: 'The PSP was asked. What it said is below.',
  resent: 'The report is sent again. Its tries are below.',
  'resent-all': 'The reports are sent again. They leave this list once their shops have taken them.',
  cancelled: 'The payment is cancelled.',
  refunded: 'The refund is asked for. What became of it is below.',
  'pos-created': 'The point of sale is created.',
  'pos-changed': 'The point of sale is changed. It is so everywhere within two minutes.',
  'pos-disabled': 'The point of sale is disabled. Its keys and tokens end within two minutes.',
  'pos-enabled': 'The point of sale is enabled.',
  'key-added': 'A new API key is made. The older ones still work.',
  'keys-revoked': 'All API keys but the newest have ended.',
  'secret-rotated': 'A new signing secret is made.',
  'route-changed': 'The route is changed. It is so everywhere within two minutes.',
  'account-added': 'The account is added.',
  'account-rekeyed': 'The credentials are replaced. They are so everywhere within two minutes.',
  'account-removed': 'The account is removed.',
  'account-working': 'The PSP took the credentials: the account works.',
  'account-refused': 'The PSP refused the credentials of the account. Give it new ones.',
  'account-unavailable': 'The PSP did not answer. Try again later.',
  'token-created': 'The token is made.',
  'token-revoked': 'The token has ended.',
  'signed-out': 'You have signed out.',
}

export function messageOf(name: string | null): string | null {
  return name !== null && Object.hasOwn(MESSAGES, name) ? (MESSAGES[name] ?? null) : null
}
