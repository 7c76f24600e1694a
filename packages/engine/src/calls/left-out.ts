import { type Overview, toolModeOf } from '@holdfast/conversation'
import { FIND_TOOLS, type Tool } from '@holdfast/tool'
import type { EnginePorts } from '../api/ports.ts'
import { includedTools, toolsQuery } from '../chosen/conversation-tools.ts'

/** The tools of a conversation, and what chooses among them. */
export interface Choice {
  readonly ports: EnginePorts
  readonly conversationId: string
  readonly state: Overview
  /** Those of sources that are on. */
  readonly tools: ReadonlyMap<string, Tool>
}

/**
 * Says why a call of a tool that there is does not run: the mode or the conversation leaves the tool out. Whoever
 * knows a name has not been given the tool by it. What there was no room for is what the log says of the request, for
 * the model may be another by now. Null for a tool that requests carry, and for a name that no tool has. [TOOL10, WIN17]
 */
export function whyLeftOut(choice: Choice): (name: string) => string | null {
  const { ports, conversationId, state, tools } = choice
  const included = new Set(includedTools(tools, state).map(({ definition }) => definition.name))
  const withoutRoom = new Set(state.toolDefinitions?.leftOut)
  return (name) => {
    if (withoutRoom.has(name)) return `${noSuch(name)}: its model has no room for it. ${byThePerson('choose it')}`
    if (included.has(name)) return null
    if (tools.has(name)) return inWords(name, state)
    const off = ports.toolsOf(toolsQuery(conversationId, state)).find(({ definition }) => definition.name === name)
    return off === undefined
      ? null
      : `${noSuch(name)}: ${off.definition.source ?? 'its source'} is off. ${byThePerson('turn it on')}`
  }
}

function inWords(name: string, { settings }: Overview): string {
  switch (toolModeOf(settings)) {
    case 'auto':
      return `${noSuch(name)} yet. Find it with ${FIND_TOOLS}, then call it in your next step.`
    case 'manual':
      return `${noSuch(name)}: it is not chosen. ${byThePerson('choose it')}`
    case 'all-off':
      return `${noSuch(name)}: all tools are off. ${byThePerson('turn them on')}`
    case 'cached':
    case 'all-on':
      throw new Error(`Tool ${name} is left out in a mode that leaves out none`)
  }
}

function noSuch(name: string): string {
  return `There is no tool named ${name} in this conversation`
}

function byThePerson(act: string): string {
  return `Only the person can ${act}, in the Tools tab; go on without it, or ask them.`
}
