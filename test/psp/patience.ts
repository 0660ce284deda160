/** A deadline that never comes. */
export const patience = new AbortController().signal
