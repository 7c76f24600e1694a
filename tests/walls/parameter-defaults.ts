import { parseSync } from 'oxc-parser'
import { isShipped, type SourceFile } from './source-file.ts'

/**
 * [ARCH21] Defaults of parameters and of the fields and places that a parameter takes apart, of every function: React
 * components, methods and callbacks too; and those of a declaration in the body that takes a parameter apart. What may
 * be left out is a type's to say (`?`), and the body branches on it.
 */
export function parameterDefaultOffences(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => isShipped(path) && text.replaceAll(BEGINNING, '').includes(' = '))
    .flatMap((file) => {
      const found: number[] = []
      collect(treeOf(file), { found, isParameter: false, parameters: new Set() })
      return found.map((at) => `${file.path}:${file.text.slice(0, at).split('\n').length}: a parameter has a default`)
    })
}

/** What most files have of ` = `, as the formatter writes each default too: a file that has no other is not parsed. */
const BEGINNING = /\b(?:const|let|type) (?:\w+(?:<[\w, ]+>)?|[{[][^=()]*[}\]])(?:: [^=()]*)? =\s/g

interface Collecting {
  readonly found: number[]
  /** Whether what the node is of is a parameter or takes one apart, and not the body of a function. */
  readonly isParameter: boolean
  /** The names that the parameters of the functions around the node bind. */
  readonly parameters: ReadonlySet<string>
}

function treeOf({ path, text }: SourceFile): unknown {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  return program
}

function collect(node: unknown, { found, isParameter, parameters }: Collecting): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const one of node) collect(one, { found, isParameter, parameters })
    return
  }
  if (isParameter && 'type' in node && node.type === 'AssignmentPattern' && 'start' in node)
    found.push(Number(node.start))
  const names = 'params' in node ? new Set([...parameters, ...boundNames(node.params)]) : parameters
  const takesApart = takesParameterApart(node, names)
  for (const [part, value] of Object.entries(node)) {
    const isInside = part === 'params' || (takesApart && part === 'id') || (isParameter && part !== 'body')
    collect(value, { found, isParameter: isInside, parameters: names })
  }
}

/** Whether a node is a declaration whose whole value is a parameter: `const { a } = parameter`. */
function takesParameterApart(node: object, parameters: ReadonlySet<string>): boolean {
  if (!('type' in node && node.type === 'VariableDeclarator' && 'init' in node)) return false
  const name = nameOf(node.init)
  return name !== null && parameters.has(name)
}

/** The names that a pattern binds: itself, its fields, places, rest and what has a default. */
function boundNames(pattern: unknown): readonly string[] {
  if (typeof pattern !== 'object' || pattern === null) return []
  if (Array.isArray(pattern)) return pattern.flatMap(boundNames)
  const name = nameOf(pattern)
  if (name !== null) return [name]
  return ['params', 'items', 'properties', 'elements', 'value', 'argument', 'left', 'parameter'].flatMap((part) =>
    boundNames(Object.getOwnPropertyDescriptor(pattern, part)?.value),
  )
}

function nameOf(node: unknown): string | null {
  if (typeof node !== 'object' || node === null) return null
  return 'type' in node && node.type === 'Identifier' && 'name' in node ? String(node.name) : null
}
