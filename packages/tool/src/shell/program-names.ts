/** What stands before a version, an architecture or a flavour: `python3.11`, `gcc-12`, `perl5.36-x86_64-linux-gnu`. */
const STEM = /^([a-z_+]+(?:-[a-z_+]+)*?)[-_.]?\d.*$/i
/** Cross compilers carry their target before their name: `x86_64-linux-gnu-gcc`. */
const TARGET = /^[a-z0-9_]+-(?:[a-z0-9_]+-)*(gcc|cc|g\+\+|c\+\+|clang|clang\+\+)(?:-\d+)?$/

/** The key of a table of programs under which a name stands: itself, or its stem without a version. [PERM2] */
export function keyOf(name: string, table: { readonly has: (key: string) => boolean }): string | null {
  if (table.has(name)) return name
  const stem = TARGET.exec(name)?.[1] ?? STEM.exec(name)?.[1]
  return stem !== undefined && table.has(stem) ? stem : null
}

/** The entry of a table of programs for a name or its stem. */
export function entryOf<Entry>(name: string, table: ReadonlyMap<string, Entry>): Entry | undefined {
  const key = keyOf(name, table)
  return key === null ? undefined : table.get(key)
}
