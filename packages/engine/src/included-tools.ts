import type { Overview } from '@holdfast/conversation'
import type { Tool } from '@holdfast/tool'

/** The tools whose definitions requests carry, in the order in which they stand there. [TOOL10] */
export function includedTools(tools: ReadonlyMap<string, Tool>, { settings, foundTools }: Overview): readonly Tool[] {
  const all = [...tools.values()]
  switch (settings.toolMode ?? 'cached') {
    case 'cached':
    case 'all-on':
      return all
    case 'all-off':
      return []
    case 'manual': {
      const chosen = new Set(settings.includedTools)
      return all.filter(({ definition }) => chosen.has(definition.name))
    }
    case 'auto': {
      // What is found stands at the end, in the order of finding: what stands before it stays as it was.
      const found = foundTools.flatMap((name) => tools.get(name) ?? []).filter(({ definition }) => definition.deferred)
      return [...all.filter(({ definition }) => !definition.deferred), ...found]
    }
  }
}
