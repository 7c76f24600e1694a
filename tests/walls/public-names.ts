import { maskCode } from './code-mask.ts'

/** The names that an index file exports, sorted; types are marked with `type `. */
export function publicNames(index: string): string[] {
  const lists = [...maskCode(index).matchAll(/export\s+(type\s+)?\{([^{}]*)\}/g)]
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
  return names.sort(byName)
}

/** What was added to and lost from a list of names, as sentences; empty when nothing was. */
export function nameChanges(file: string, written: readonly string[], found: readonly string[]): string[] {
  return [
    ...found.filter((name) => !written.includes(name)).map((name) => `${file}: added ${name}`),
    ...written.filter((name) => !found.includes(name)).map((name) => `${file}: lost ${name}`),
  ]
}

/** The file that holds the names of one export of a package. */
export function apiFileOf(folder: string, subpath: string): string {
  return `docs/api/${[folder, ...subpath.split('/').slice(1)].join('.')}.txt`
}

function byName(left: string, right: string): number {
  const [a, b] = [left.replace(/^type /, ''), right.replace(/^type /, '')]
  if (a === b) return 0
  return a < b ? -1 : 1
}
