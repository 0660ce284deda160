/**
 * The object of a name, in the jurisdiction that JURISDICTION tells ("eu"), or anywhere where it is empty. The same name leads
 * to another object in each: a hub that has jobs must never change it. Another jurisdiction is thrown: a deploy lets none through.
 * https://developers.cloudflare.com/durable-objects/reference/data-location/
 */
export function namedObject<T extends Rpc.DurableObjectBranded | undefined>(
  { JURISDICTION }: Env,
  namespace: DurableObjectNamespace<T>,
  name: string,
): DurableObjectStub<T> {
  if (!JURISDICTION) return namespace.getByName(name)
  if (JURISDICTION !== 'eu') throw new Error(`JURISDICTION is eu, or empty: not ${JURISDICTION}`)
  return namespace.jurisdiction(JURISDICTION).getByName(name)
}
