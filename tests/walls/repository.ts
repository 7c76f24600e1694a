import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Manifest } from './manifest.ts'
import type { SourceFile } from './source-file.ts'

/** The root of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const CODE = [
  'packages/*/{src,tests}/**/*.{ts,tsx}',
  'apps/*/{src,tests}/**/*.{ts,tsx}',
  'apps/*/bin/*.js',
  'scripts/**/*.{mjs,ts}',
  'tests/**/*.ts',
  'bench/**/*.ts',
]

interface PackageJson {
  readonly exports?: Readonly<Record<string, { readonly '@holdfast/source': string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Every file of code in the repository. */
export function readSources(): SourceFile[] {
  return find(CODE).map((path) => ({ path, text: readText(path) }))
}

/** Every style sheet of the page. */
export function readStyles(): SourceFile[] {
  return find(['apps/*/src/**/*.css']).map((path) => ({ path, text: readText(path) }))
}

/** Says whether a file or folder exists. */
export function isThere(path: string): boolean {
  return existsSync(join(ROOT, path))
}

/** The text of one file, `undefined` when it does not exist. */
export function readIfThere(path: string): string | undefined {
  return isThere(path) ? readText(path) : undefined
}

/** The text of one file. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The paths that patterns find, sorted. */
export function find(patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: ROOT })
    .map((path) => path.split(sep).join('/'))
    .sort()
}

/** What the walls need of every package.json. */
export function readManifests(): Manifest[] {
  return find(['packages/*/package.json', 'apps/*/package.json']).map((path) => {
    const manifest: PackageJson = JSON.parse(readText(path))
    return {
      folder: path.split('/')[1] ?? '',
      exports: Object.entries(manifest.exports ?? {}).map(([subpath, target]) => ({
        subpath,
        source: `${dirname(path)}/${target['@holdfast/source'].replace(/^\.\//, '')}`,
      })),
      dependencies: ours(manifest.dependencies),
      devDependencies: ours(manifest.devDependencies),
    }
  })
}

function ours(dependencies: Readonly<Record<string, string>> | undefined): string[] {
  const names = Object.keys(dependencies ?? {})
  return names.filter((name) => name.startsWith('@holdfast/')).map((name) => name.slice('@holdfast/'.length))
}
