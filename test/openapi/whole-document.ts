import { openApiDocument } from '../../src/build/openapi/document.ts'

const [shops, operators] = [openApiDocument('shops'), openApiDocument('operators')]

/** Both documents of the hub as one: every answer that a test gets is judged by it. */
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
