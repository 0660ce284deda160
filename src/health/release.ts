/** The release that this is: that of package.json. */
export const RELEASE = '0.4.0'
