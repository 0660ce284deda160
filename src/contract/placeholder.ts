/** Stands for the hub's origin in files of the site (RFC 2606: no host has this name). */
export const HUB = 'https://hub.invalid'
