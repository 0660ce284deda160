import { openApiDocument } from '../../src/site/build/openapi/document.ts'

const [shops, operators] = [openApiDocument('shops'), openApiDocument('operators')]

/** Both documents of the hub as one: whatever a test asks, its answer is judged by this. */
export const WHOLE = {
  ...shops,
  paths: { ...shops.paths, ...operators.paths },
  components: Object.fromEntries(
    Object.entries(shops.components).map(([kind, named]) => [
      kind,
      { ...(named as object), ...(operators.components[kind] as object) },
    ]),
  ),
}
