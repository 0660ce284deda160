/**
 * The object of a name, in the jurisdiction that JURISDICTION tells ("eu"), or anywhere where it is empty. The same name leads
 * to another object in each: a hub that has jobs must never change it. A jurisdiction that the platform does not know is thrown.
 * https://developers.cloudflare.com/durable-objects/reference/data-location/
 */
export const namedObject = <T extends Rpc.DurableObjectBranded | undefined>(
  { JURISDICTION }: Env,
  namespace: DurableObjectNamespace<T>,
  name: string,
): DurableObjectStub<T> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operator writes it; the platform judges it
  (JURISDICTION ? namespace.jurisdiction(JURISDICTION as DurableObjectJurisdiction) : namespace).getByName(
    name,
  )
