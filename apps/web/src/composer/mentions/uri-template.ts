/** The values that the address of a family of resources asks for; null for a template that says more than values. */
export function variablesOf(uriTemplate: string): readonly string[] | null {
  const names = [...uriTemplate.matchAll(/\{\+?([^{}]*)\}/g)].flatMap(([, name]) => name ?? [])
  if (names.length === 0 || names.some((name) => !/^[A-Za-z0-9_.]+$/.test(name))) return null
  return [...new Set(names)]
}

/** The address with these values; what has a meaning in an address is written as text, but for `{+name}`. */
export function expanded(uriTemplate: string, values: Readonly<Record<string, string>>): string {
  return uriTemplate.replaceAll(/\{(\+?)([^{}]*)\}/g, (_, plus: string, name: string) => {
    const value = values[name] ?? ''
    return plus === '+' ? encodeURI(value) : encodeURIComponent(value)
  })
}
