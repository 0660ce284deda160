/** The release of the hub, as package.json has it. */
export const VERSION = '0.5.0'
