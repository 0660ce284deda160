/** The form of an account's id. Whatever else a path or a message has in its place names no account. */
export const ACCOUNT_ID = /^[a-z0-9][a-z0-9-]{0,39}$/

export function isAccountId(text: string): boolean {
  return ACCOUNT_ID.test(text)
}
