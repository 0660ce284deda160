/** Stands for the hub's origin in files of the site (RFC 2606: no host can have this name). */
export const HUB = 'https://hub.invalid'
