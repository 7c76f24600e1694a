import { posix } from 'node:path'
import type { PageFile } from './page-words.ts'
import { nodesOf, type SyntaxNode } from './syntax-tree.ts'

/** The files that come with the first script: what it imports when it begins, over as many files as it takes. */
export function firstScript(files: readonly PageFile[], entry: string): readonly PageFile[] {
  const known = new Map(files.map((file) => [file.path, file]))
  const found = new Map<string, PageFile>()
  const open = [entry]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = known.get(path)
    if (!file || found.has(path)) continue
    found.set(path, file)
    open.push(...importsOf(file))
  }
  return [...found.values()]
}

/** The files of the page that a file imports for more than their types. */
function importsOf(file: PageFile): string[] {
  return nodesOf(file).flatMap(({ node }) => {
    if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration') return []
    const from = sourceOf(node)
    if (from === null || !from.startsWith('.') || isOfTypes(node)) return []
    return [posix.join(posix.dirname(file.path), from)]
  })
}

function sourceOf(node: SyntaxNode): string | null {
  const source = node['source']
  return typeof source === 'object' && source !== null && 'value' in source && typeof source.value === 'string'
    ? source.value
    : null
}

function isOfTypes(node: SyntaxNode): boolean {
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return true
  const { specifiers } = node
  return (
    Array.isArray(specifiers) &&
    specifiers.length > 0 &&
    specifiers.every(
      (one: { importKind?: unknown; exportKind?: unknown }) => (one.importKind ?? one.exportKind) === 'type',
    )
  )
}
