import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageFile } from './page-words.ts'
import { ROOT } from './root.ts'

const SOURCE = join(ROOT, 'apps', 'web', 'src')

/** The files of the page that a pattern finds, sorted. */
export function pageFiles(pattern: string): readonly PageFile[] {
  return globSync(pattern, { cwd: SOURCE })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(SOURCE, path), 'utf8') }))
}
