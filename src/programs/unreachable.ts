/** What is wrong with the certificate of a server, by the codes of Node and OpenSSL. */
const CERTIFICATE: readonly (readonly [codes: RegExp, says: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'Its certificate has expired.'],
  [/^CERT_NOT_YET_VALID$/, 'Its certificate is not valid yet: is the clock of this machine right?'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'Its certificate is for another name.'],
  [
    /CERT|^UNABLE_TO_(GET|VERIFY)_/,
    'Node does not trust its certificate. Name the file of the authority that signed it: NODE_EXTRA_CA_CERTS=FILE',
  ],
  [/SSL|^EPROTO$/, 'It does not speak TLS there: is the address http, not https?'],
]

/** Says in one sentence why a server that is there could not be spoken to; an empty text for other errors. */
export function certificateFault(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const code = 'code' in error ? String(error.code) : ''
  const [, says] = CERTIFICATE.find(([codes]) => codes.test(code)) ?? []
  return says === undefined ? certificateFault(error.cause) : `${says} (${code})`
}
