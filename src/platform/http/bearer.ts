/** The token of an `Authorization: Bearer` header (RFC 6750, section 2.1), or null where there is none. */
export const bearerOf = (request: Request): string | null =>
  /^Bearer +([\w\-.~+/]+=*) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null

/** Whether something was sent as a Bearer token, of a right form or not. Other schemes are as none (RFC 6750, section 3.1). */
export const sentBearer = (request: Request): boolean =>
  /^Bearer +[^ ]/i.test(request.headers.get('authorization') ?? '')
