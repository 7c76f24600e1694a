import { parseSync } from 'oxc-parser'
import { isShipped, type SourceFile } from './source-file.ts'

/**
 * [ARCH21] Defaults of parameters and of the fields and places that a parameter takes apart, of every function: React
 * components, methods and callbacks too. What may be left out is a type's to say (`?`), and the body branches on it.
 */
export function parameterDefaultOffences(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => isShipped(path) && text.replaceAll(BEGINNING, '').includes(' = '))
    .flatMap((file) => {
      const found: number[] = []
      collect(treeOf(file), { found, isParameter: false })
      return found.map((at) => `${file.path}:${file.text.slice(0, at).split('\n').length}: a parameter has a default`)
    })
}

/** What most files have of ` = `, as the formatter writes each default too: a file that has no other is not parsed. */
const BEGINNING = /\b(?:const|let|type) (?:\w+(?:<[\w, ]+>)?|[{[][^=()]*[}\]])(?:: [^=()]*)? =\s/g

interface Collecting {
  readonly found: number[]
  /** Whether the node is of a parameter, and not of the body of a function. */
  readonly isParameter: boolean
}

function treeOf({ path, text }: SourceFile): unknown {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  return program
}

function collect(node: unknown, { found, isParameter }: Collecting): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const one of node) collect(one, { found, isParameter })
    return
  }
  if (isParameter && 'type' in node && node.type === 'AssignmentPattern' && 'start' in node)
    found.push(Number(node.start))
  for (const [part, value] of Object.entries(node)) {
    const isInside = part === 'params' || (isParameter && part !== 'body')
    collect(value, { found, isParameter: isInside })
  }
}
