/** Makes a record with a value for each of some names, in their order. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript keeps no names of entries
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>
}
