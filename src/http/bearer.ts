/** The token of an `Authorization: Bearer` header (RFC 6750, section 2.1), or null where there is none. */
export const bearerOf = (request: Request): string | null =>
  /^Bearer +([\w\-.~+/]+=*) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
