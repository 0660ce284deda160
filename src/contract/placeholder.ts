/**
 * What files of the site have for the hub's origin, until the hub serves them. No host has this
 * name (RFC 2606, section 2).
 */
export const HUB = 'https://hub.invalid'
