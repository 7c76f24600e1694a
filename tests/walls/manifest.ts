import { importsOf, workspacePart } from './imports.ts'
import { isShipped, ownerOf, type SourceFile } from './source-file.ts'

/** What the walls need of a package.json. */
export interface Manifest {
  /** Name of the package's folder. */
  readonly folder: string
  readonly exports: readonly { readonly subpath: string; readonly source: string }[]
  /** Packages of ours, without the scope. */
  readonly dependencies: readonly string[]
  readonly devDependencies: readonly string[]
}

/**
 * Dependencies that are written down before the code that uses them.
 * A row leaves when its import arrives; the wall says so.
 */
export const AHEAD: Readonly<Record<string, readonly string[]>> = {}

/** [ARCH3] Dependencies on packages of ours that are imported and not declared, or declared and not imported. */
export function dependencyOffences(
  files: readonly SourceFile[],
  manifests: readonly Manifest[],
  ahead: Readonly<Record<string, readonly string[]>>,
): string[] {
  return manifests.flatMap((manifest) => {
    const own = files.filter(({ path }) => ownerOf(path) === manifest.folder)
    if (!own.some(({ path }) => isShipped(path))) return []
    const shipped = importedBy(own.filter(({ path }) => isShipped(path)))
    const tested = importedBy(own.filter(({ path }) => !isShipped(path)))
    const early = ahead[manifest.folder] ?? []
    shipped.delete(manifest.folder)
    tested.delete(manifest.folder)
    const say = (name: string, what: string) => `${manifest.folder}/package.json: ${name} ${what}`
    return [
      ...without(shipped, manifest.dependencies).map((name) => say(name, 'is imported and is not in dependencies')),
      ...without(tested, [...manifest.dependencies, ...manifest.devDependencies]).map((name) =>
        say(name, 'is imported by tests and is not in devDependencies'),
      ),
      ...without(manifest.dependencies, [...shipped, ...early]).map((name) =>
        say(name, 'is in dependencies and is not imported'),
      ),
      ...without(manifest.devDependencies, [...tested]).map((name) =>
        say(name, 'is in devDependencies and is not imported by tests'),
      ),
      ...early.filter((name) => shipped.has(name)).map((name) => say(name, 'is imported now: take it out of AHEAD')),
    ]
  })
}

function importedBy(files: readonly SourceFile[]): Set<string> {
  const specifiers = files.flatMap((file) => importsOf(file).map(({ specifier }) => specifier))
  return new Set(specifiers.flatMap((specifier) => workspacePart(specifier)?.name ?? []))
}

function without(names: Iterable<string>, known: readonly string[]): string[] {
  return [...names].filter((name) => !known.includes(name))
}
