/**
 * The token of an `Authorization: Bearer` header (RFC 6750, section 2.1), or null where there is
 * none.
 */
export function bearerOf(request: Request): string | null {
  return /^Bearer +([\w\-.~+/]+=*) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
}

/**
 * Whether something was sent as a Bearer token, of a right form or not. Other schemes are as none
 * (RFC 6750, section 3.1).
 */
export function sentBearer(request: Request): boolean {
  return /^Bearer +[^ ]/i.test(request.headers.get('authorization') ?? '')
}
