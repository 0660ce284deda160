/** Branches that no seed reaches, by their names in `coverage.ts`, each with the reason. */
export const UNREACHED: Readonly<Record<string, string>> = {}
