/** Sends a browser on with a GET, after whatever it did before (RFC 9110, section 15.4.4). */
export const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { location } })
