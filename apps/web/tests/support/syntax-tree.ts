import { parseSync } from 'oxc-parser'

/** A node of the syntax tree of a file. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

/** A node with those around it, the file itself first. */
export interface PlacedNode {
  readonly node: SyntaxNode
  readonly around: readonly SyntaxNode[]
}

/** Every node of a file, from its beginning to its end. @throws for a file that does not parse. */
export function nodesOf({ path, text }: { readonly path: string; readonly text: string }): readonly PlacedNode[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const found: PlacedNode[] = []
  collect(program, [], found)
  return found
}

/** A part of a node that is a node itself; null where it is none. */
export function partOf(node: SyntaxNode | undefined, name: string): SyntaxNode | null {
  const part = node?.[name]
  return isNode(part) ? part : null
}

/** The name that a node is or has: of an identifier, a JSX name, what is called. */
export function nameOf(node: SyntaxNode | null | undefined): string {
  if (!node) return ''
  if (typeof node['name'] === 'string') return node['name']
  return nameOf(partOf(node, 'name') ?? partOf(node, 'callee') ?? partOf(node, 'property'))
}

function collect(value: unknown, around: readonly SyntaxNode[], found: PlacedNode[]): void {
  if (Array.isArray(value)) {
    for (const one of value) collect(one, around, found)
    return
  }
  if (!isNode(value)) return
  found.push({ node: value, around })
  const inside = [...around, value]
  for (const part of Object.values(value)) if (typeof part === 'object') collect(part, inside, found)
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
