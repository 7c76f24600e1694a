import { fittingToolCount, type ToolRoom } from '@holdfast/context'
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

/** Included tools, by whether the window has room for them. */
export interface FittingTools {
  readonly sent: readonly Tool[]
  readonly leftOut: readonly Tool[]
}

/**
 * The included tools that there is room for: as many as fit, from the first one on. What a person has chosen, and what
 * the client of this conversation runs itself, is sent, however large it is. [WIN17]
 *
 * @param room - null where the window is not known.
 */
export function fittingTools(
  included: readonly Tool[],
  { settings }: Pick<Overview, 'settings'>,
  room: ToolRoom | null,
): FittingTools {
  if (room === null || toolModeOf(settings) === 'manual') return { sent: included, leftOut: [] }
  const isGiven = ({ definition }: Tool): boolean => definition.runsAt === 'client'
  const definitions = [...included.filter(isGiven), ...included.filter((tool) => !isGiven(tool))].map(
    ({ definition }) => definition,
  )
  const fitting = new Set(definitions.slice(0, fittingToolCount(definitions, room)))
  const isSent = (tool: Tool): boolean => isGiven(tool) || fitting.has(tool.definition)
  return { sent: included.filter(isSent), leftOut: included.filter((tool) => !isSent(tool)) }
}

/** Code of the notice that says which tools a window has no room for. */
const TOOLS_LEFT_OUT = 'tools-left-out'

/** The definitions that requests carry from here on, if they are others than before, and what there is no room for. */
export function toolsChanged(
  ports: EnginePorts,
  conversationId: string,
  { state, room }: { readonly state: Overview; readonly room: ToolRoom | null },
): NewEntry[] {
  // With all tools off the old definitions stay, and with them the cache; nothing can be called. [TOOL10]
  if (toolModeOf(state.settings) === 'all-off') return []
  const included = includedTools(toolsByName(ports, conversationId, state), state)
  const fitting = fittingTools(included, state, room)
  const tools = fitting.sent
  const leftOut = fitting.leftOut.map(({ definition }) => definition.name)
  const asked = ports.instructionsOf?.(toolsQuery(conversationId, state)) ?? []
  const instructions = instructionsFor(tools, asked)
  const said =
    instructions.length === 0 ? {} : { instructions: instructions.map(({ source, text }) => ({ source, text })) }
  const { hash, definitions } = loggedTools(
    ports,
    tools.map(({ definition }) => definition),
    instructions,
  )
  const before = state.toolDefinitions
  const sendsTheSame = before === null ? definitions.length === 0 : before.hash === hash
  const leavesTheSame = areSameNames(before?.leftOut ?? [], leftOut)
  if (sendsTheSame && leavesTheSame) return []
  const changed: NewEntry = {
    type: 'tools-changed',
    actor: ENGINE,
    hash,
    definitions,
    ...said,
    ...(leftOut.length === 0 ? {} : { leftOut }),
  }
  return leavesTheSame || room === null ? [changed] : [changed, leftOutNotice(fitting, room)]
}

/** Says to the person that the model is not told of all tools, or is told of all again; the Tools tab names them. [WIN17] */
function leftOutNotice({ sent, leftOut }: FittingTools, { windowTokens }: ToolRoom): NewEntry {
  const about = { type: 'notice-raised', actor: ENGINE, code: TOOLS_LEFT_OUT, severity: 'info' } as const
  if (leftOut.length === 0) return { ...about, text: 'There is room for all tools again.' }
  const last = sent.at(-1)?.definition.name
  const which = last === undefined ? 'none' : `the first ${sent.length}, up to ${last},`
  const room = `A window of ${windowTokens} tokens has no room for ${sent.length + leftOut.length} tools: ${which} are sent.`
  return { ...about, text: `${room} Choose in the Tools tab which ones are, or give the model a larger window.` }
}

function areSameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index])
}

/** What sources say, of those whose tools the request carries. */
function instructionsFor(tools: readonly Tool[], all: readonly SourceInstructions[]): readonly SourceInstructions[] {
  const sources = new Set(tools.map(({ definition }) => definition.source))
  return all.filter(({ source }) => sources.has(source))
}
