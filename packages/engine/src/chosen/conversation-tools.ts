import { type NewEntry, type Overview, toolModeOf } from '@holdfast/conversation'
import { createFindTools, FIND_TOOLS, type Tool } from '@holdfast/tool'
import type { EnginePorts, SourceInstructions, ToolsQuery } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { loggedTools } from './logged-tools.ts'

/** The tools of a conversation by name, without those of sources that are off in it. */
export function toolsByName({ toolsOf }: EnginePorts, conversationId: string, state: Overview): Map<string, Tool> {
  const { excludedSources } = state.settings
  const excluded = new Set(excludedSources)
  const tools = toolsOf(toolsQuery(conversationId, state)).filter(
    ({ definition: { source } }) => source === undefined || !excluded.has(source),
  )
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  if (toolModeOf(state.settings) !== 'auto') return byName
  const deferred = tools.map(({ definition }) => definition).filter((definition) => definition.deferred)
  return deferred.length === 0 ? byName : byName.set(FIND_TOOLS, createFindTools(deferred))
}

/** Asks for the tools of a conversation as it is now. @throws {UnknownConversationError} */
export function toolsQuery(conversationId: string, state: Overview): ToolsQuery {
  const { ownerId, depth, settings } = state
  if (ownerId === null) throw new UnknownConversationError(conversationId)
  return { conversationId, ownerId, depth, settings }
}

/** The folder that the tools of a conversation may touch; null for none. [WS1] */
export function workspaceIn(
  { workspaceOf, permissions }: Pick<EnginePorts, 'workspaceOf' | 'permissions'>,
  { ownerId, settings }: Pick<Overview, 'ownerId' | 'settings'>,
): string | null {
  if (!workspaceOf) return permissions.workspaceRoot
  return ownerId === null ? null : workspaceOf({ ownerId, settings })
}

/** The tools whose definitions requests carry, in the order in which they stand there. [TOOL10] */
export function includedTools(tools: ReadonlyMap<string, Tool>, { settings, foundTools }: Overview): readonly Tool[] {
  const all = [...tools.values()]
  switch (toolModeOf(settings)) {
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

/** The definitions that requests carry from here on, if they are others than before. */
export function toolsChanged(ports: EnginePorts, conversationId: string, state: Overview): NewEntry[] {
  // With all tools off the old definitions stay, and with them the cache; nothing can be called. [TOOL10]
  if (toolModeOf(state.settings) === 'all-off') return []
  const tools = includedTools(toolsByName(ports, conversationId, state), state)
  const asked = ports.instructionsOf?.(toolsQuery(conversationId, state)) ?? []
  const instructions = instructionsFor(tools, asked)
  const said =
    instructions.length === 0 ? {} : { instructions: instructions.map(({ source, text }) => ({ source, text })) }
  const { hash, definitions } = loggedTools(
    ports,
    tools.map(({ definition }) => definition),
    instructions,
  )
  const unchanged = state.toolDefinitions === null ? definitions.length === 0 : state.toolDefinitions.hash === hash
  return unchanged ? [] : [{ type: 'tools-changed', actor: ENGINE, hash, definitions, ...said }]
}

/** What sources say, of those whose tools the request carries. */
function instructionsFor(tools: readonly Tool[], all: readonly SourceInstructions[]): readonly SourceInstructions[] {
  const sources = new Set(tools.map(({ definition }) => definition.source))
  return all.filter(({ source }) => sources.has(source))
}
