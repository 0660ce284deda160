import * as v from 'valibot'

function named<const Type extends string, Entries extends v.ObjectEntries>(type: Type, entries: Entries) {
  return v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[A-Za-z_]\w*$/)),
    type: v.literal(type),
    ...entries,
  })
}

const ID = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/))

/** https://developers.cloudflare.com/workers/configuration/multipart-upload-metadata/ */
export const Binding = v.variant('type', [
  named('plain_text', { text: v.string() }),
  named('secret_text', { text: v.string() }),
  named('inherit', {}),
  named('kv_namespace', { namespace_id: ID }),
  named('d1', { id: v.pipe(v.string(), v.uuid()) }),
  named('queue', { queue_name: v.string() }),
  named('durable_object_namespace', { class_name: v.string() }),
  named('ratelimit', {
    namespace_id: v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/)),
    simple: v.strictObject({ limit: v.pipe(v.number(), v.integer()), period: v.picklist([10, 60]) }),
  }),
  named('assets', {}),
])
export type Binding = v.InferOutput<typeof Binding>

const Metadata = v.strictObject({
  main_module: v.string(),
  bindings: v.array(Binding),
  compatibility_date: v.pipe(v.string(), v.isoDate()),
  compatibility_flags: v.array(v.string()),
  exports: v.record(
    v.string(),
    v.strictObject({ type: v.literal('durable-object'), storage: v.literal('sqlite') }),
  ),
  keep_bindings: v.exactOptional(v.array(v.picklist(['secret_text', 'secret_key', 'plain_text', 'json']))),
  assets: v.strictObject({
    jwt: v.string(),
    config: v.strictObject({
      html_handling: v.literal('none'),
      not_found_handling: v.literal('none'),
      run_worker_first: v.literal(true),
    }),
  }),
  // Missing in a version that is not live yet.
  observability: v.exactOptional(
    v.strictObject({
      enabled: v.boolean(),
      logs: v.strictObject({ invocation_logs: v.boolean(), head_sampling_rate: v.number() }),
      traces: v.strictObject({ enabled: v.boolean() }),
    }),
  ),
  code_update_strategy: v.exactOptional(
    v.strictObject({ mode: v.string(), max_delay: v.exactOptional(v.number()) }),
  ),
  annotations: v.exactOptional(v.record(v.string(), v.string())),
  package_dependencies: v.exactOptional(v.array(v.unknown())),
})
type Metadata = v.InferOutput<typeof Metadata>

/** An upload as it would run: inherited bindings have the values that they inherit. */
export type Version = {
  id: string
  metadata: Metadata
  bindings: Exclude<Binding, { type: 'inherit' }>[]
  modules: Record<string, string>
  /** The hashes of static files, by path. */
  assets: Record<string, string>
}

/** Reads the parts of an upload. Throws if the API would not accept them. */
export async function readUpload(
  form: FormData,
): Promise<{ metadata: Metadata; modules: Record<string, string> }> {
  const text = form.get('metadata')
  if (typeof text !== 'string') throw new Error('the upload has no metadata')
  const metadata = v.parse(Metadata, JSON.parse(text))
  const modules: Record<string, string> = {}
  for (const [name, part] of form) {
    if (typeof part === 'string') continue
    if (part.type === 'application/source-map') continue
    if (part.type !== 'application/javascript+module') throw new Error(`${name} is of type ${part.type}`)
    modules[name] = await part.text()
  }
  if (!(metadata.main_module in modules)) throw new Error('the main module was not uploaded')
  return { metadata, modules }
}
