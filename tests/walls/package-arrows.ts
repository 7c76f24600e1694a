import { importsOf, isRelative, targetOf, workspacePart } from './imports.ts'
import { isShipped, ownerOf, type SourceFile } from './source-file.ts'

/** Who points at whom. This table is the architecture; docs/ARCHITECTURE.md draws it. */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  conversation: [],
  provider: ['conversation'],
  context: ['provider'],
  tool: ['conversation'],
  engine: ['context', 'tool'],
  store: ['conversation'],
  archive: ['conversation'],
  protocol: ['conversation'],
  server: ['engine', 'protocol', 'archive', 'preview-source'],
  client: ['protocol'],
  'preview-script': ['protocol'],
  'preview-source': [],
  terminal: ['tool'],
  toolbox: ['tool'],
  mcp: ['tool'],
  'repository-map': ['conversation'],
  'language-servers': ['conversation'],
  preview: ['toolbox', 'tool', 'conversation'],
  'external-agent': ['engine'],
  workbench: [
    'engine',
    'toolbox',
    'mcp',
    'repository-map',
    'language-servers',
    'preview',
    'context',
    'tool',
    'conversation',
  ],
  interop: ['server'],
  conformance: [],
  web: ['client', 'protocol', 'conversation'],
}

/** The composition root: it puts everything together and may import every package. */
const COMPOSES = 'holdfast'

/** What a package may import: what its arrows reach, directly or over others. */
export function mayImport(name: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...(ARROWS[name] ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    open.push(...(ARROWS[next] ?? []))
  }
  return reached
}

/** [ARCH1] Imports that no arrow allows, and packages that the table does not know. Tests stand above all packages. */
export function arrowOffences(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isShipped(path))
    .flatMap((file) => {
      const owner = ownerOf(file.path) ?? ''
      if (owner === COMPOSES) return []
      if (!(owner in ARROWS)) return [`${file.path}: package ${owner} has no row in ARROWS`]
      const allowed = mayImport(owner)
      return importsOf(file)
        .map(({ specifier }) => workspacePart(specifier)?.name)
        .filter((name) => name !== undefined && name !== owner && !allowed.has(name))
        .map((name) => `${file.path}: ${owner} may not import ${name}`)
    })
}

/** [ARCH2] Imports that reach into another package by a path, name something it does not export, or name the own package. */
export function reachInOffences(
  files: readonly SourceFile[],
  exported: ReadonlyMap<string, readonly string[]>,
): string[] {
  return files.flatMap((file) =>
    importsOf(file).flatMap((found) => {
      const { specifier } = found
      const owner = ownerOf(file.path)
      if (isRelative(specifier)) {
        const target = targetOf(found)
        const crosses = ownerOf(target) !== owner && (owner !== undefined || ownerOf(target) !== undefined)
        return crosses ? [`${file.path}: '${specifier}' leaves the package; import it by its name`] : []
      }
      const part = workspacePart(specifier)
      if (part === undefined) return []
      if (part.name === owner && isShipped(file.path))
        return [`${file.path}: '${specifier}' is the package itself; use './…'`]
      if (exported.get(part.name)?.includes(part.subpath)) return []
      return [`${file.path}: '${specifier}' is not an export of ${part.name}`]
    }),
  )
}
