import { maskCode } from './code-mask.ts'

/** The names that an index file exports, in lists or where they are declared, sorted; types are marked with `type `. */
export function publicNames(index: string): string[] {
  const mask = maskCode(index)
  const declared = [...mask.matchAll(/^export\s+(?:async\s+)?(function\*?|const|class|interface|type)\s+(\w+)/gm)].map(
    ([, kind = '', name = '']) => (kind === 'interface' || kind === 'type' ? `type ${name}` : name),
  )
  const lists = [...mask.matchAll(/export\s+(type\s+)?\{([^{}]*)\}/g)]
  const names = lists.flatMap(([, typeOnly, list = '']) =>
    list
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map((item) => {
        const isType = typeOnly !== undefined || /^type\s/.test(item)
        const name = item.replace(/^type\s+/, '').replace(/^.*\sas\s+/, '')
        return isType ? `type ${name}` : name
      }),
  )
  return [...declared, ...names].sort(byName)
}

/** What was added to and lost from a list of names, as sentences; empty when nothing was. */
export function nameChanges(file: string, written: readonly string[], found: readonly string[]): string[] {
  return [
    ...found.filter((name) => !written.includes(name)).map((name) => `${file}: added ${name}`),
    ...written.filter((name) => !found.includes(name)).map((name) => `${file}: lost ${name}`),
  ]
}

/**
 * [ARCH18] Names that more than one package exports, with the packages; `apis` are the files of docs/api/ and their
 * names. Types and values of one name count as one.
 */
export function sharedNames(apis: readonly { readonly file: string; readonly names: readonly string[] }[]): string[] {
  const homes = new Map<string, Set<string>>()
  for (const { file, names } of apis)
    for (const name of names) {
      const bare = name.replace(/^type /, '')
      homes.set(bare, (homes.get(bare) ?? new Set()).add(packageOf(file)))
    }
  return [...homes]
    .filter(([, packages]) => packages.size > 1)
    .map(([name, packages]) => `${name}: ${[...packages].toSorted().join(', ')}`)
    .toSorted()
}

/** The file that holds the names of one export of a package. */
export function apiFileOf(folder: string, subpath: string): string {
  return `docs/api/${[folder, ...subpath.split('/').slice(1)].join('.')}.txt`
}

function packageOf(file: string): string {
  return /^docs\/api\/([^.]+)\./.exec(file)?.[1] ?? file
}

function byName(left: string, right: string): number {
  const [a, b] = [left.replace(/^type /, ''), right.replace(/^type /, '')]
  if (a === b) return 0
  return a < b ? -1 : 1
}
