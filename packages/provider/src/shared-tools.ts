import type { ModelTool } from './model-port.ts'

/** Lists that are remembered by their text: those of the conversations that go on now. */
const MOST_LISTS = 32

const byText = new Map<string, readonly ModelTool[]>()

/** Lists that nobody can change. Only of these what was derived is kept. */
const shared = new WeakMap<readonly ModelTool[], string>()

/**
 * The list that all requests with equal definitions share, to the byte of their JSON. It is a copy and frozen to any
 * depth: what is derived from it once holds for as long as it is there. [TOOL16]
 */
export function sharedTools(tools: readonly ModelTool[]): readonly ModelTool[] {
  if (shared.has(tools)) return tools
  const text = JSON.stringify(tools.map(({ name, description, parameters }) => ({ name, description, parameters })))
  const known = byText.get(text)
  const list: readonly ModelTool[] = known ?? frozen(JSON.parse(text))
  shared.set(list, text)
  byText.delete(text)
  byText.set(text, list)
  for (const oldest of byText.keys()) {
    if (byText.size <= MOST_LISTS) break
    byText.delete(oldest)
  }
  return list
}

/** The JSON text of a list of tools; of a shared one it is at hand. [TOOL16] */
export function toolsText(tools: readonly ModelTool[]): string {
  return shared.get(tools) ?? JSON.stringify(tools)
}

/**
 * A function of a list of tools that is asked once for each shared list, and for any other list each time: that one may
 * be changed. [TOOL16]
 */
export function oncePerTools<Derived>(
  derive: (tools: readonly ModelTool[]) => Derived,
): (tools: readonly ModelTool[]) => Derived {
  const known = new WeakMap<readonly ModelTool[], { readonly derived: Derived }>()
  return (tools) => {
    if (!shared.has(tools)) return derive(tools)
    const found = known.get(tools) ?? { derived: derive(tools) }
    known.set(tools, found)
    return found.derived
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
