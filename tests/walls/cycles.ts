import { importsOf, isRelative, targetOf } from './imports.ts'
import type { SourceFile } from './source-file.ts'

/** [ARCH7] Circles of files that import each other, type imports included; each circle once, as the path around it. */
export function cycleOffences(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map(({ path }) => path))
  const graph = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter(({ specifier }) => isRelative(specifier))
        .map(targetOf)
        .filter((target) => known.has(target)),
    ]),
  )
  const done = new Set<string>()
  const trail: string[] = []
  const circles: string[] = []

  const visit = (path: string) => {
    const before = trail.indexOf(path)
    if (before !== -1) {
      circles.push([...trail.slice(before), path].join(' -> '))
      return
    }
    if (done.has(path)) return
    trail.push(path)
    for (const target of graph.get(path) ?? []) visit(target)
    trail.pop()
    done.add(path)
  }

  for (const path of graph.keys()) visit(path)
  return circles
}
