/** A binding with some of its methods replaced. */
export function changed<Binding extends object>(binding: Binding, methods: Partial<Binding>): Binding {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
}
