import type { AgentRow } from '@holdfast/protocol'
import { type PlainKey, say } from '../shared/language/say.ts'
import { PERMISSION_MODES, TOOL_MODES } from './agent-choices.ts'

/** One thing that an agent is set to. */
export interface AgentFact {
  readonly name: string
  readonly value: string
  /** Code keeps its letters and lines; words are set as they are read. */
  readonly isCode: boolean
}

/** All that an agent is set to, in the order of its form; what it leaves to the conversation says so. */
export function agentFacts({ description, settings, starters }: AgentRow): readonly AgentFact[] {
  const { instructions, modelId, parameters, toolMode, includedTools, permissionMode, memories } = settings
  const unset = say('agents.as-the-conversation')
  const tools = say(nameOf(TOOL_MODES, toolMode))
  return [
    ...wordsOf('agents.what-it-is-for', description),
    ...(instructions === undefined ? [] : wordsOf('agents.instructions', instructions)),
    { name: say('common.model'), value: modelId ?? unset, isCode: modelId !== undefined },
    ...(parameters === undefined
      ? []
      : [{ name: say('agents.parameters-json'), value: JSON.stringify(parameters, null, 2), isCode: true }]),
    {
      name: say('common.tools'),
      value: toolMode === 'manual' ? [tools, ...(includedTools ?? [])].join('\n') : tools,
      isCode: false,
    },
    { name: say('agents.permissions'), value: say(nameOf(PERMISSION_MODES, permissionMode)), isCode: false },
    ...wordsOf('agents.starters-one-a-line', starters.join('\n')),
    {
      name: say('agents.it-is-told-what-you'),
      value: say(memories === 'off' ? 'agents.no' : 'agents.yes'),
      isCode: false,
    },
  ]
}

function wordsOf(key: PlainKey, value: string): readonly AgentFact[] {
  return value.trim() === '' ? [] : [{ name: say(key), value, isCode: false }]
}

function nameOf(
  choices: readonly { readonly value: string; readonly name: PlainKey }[],
  value: string | undefined,
): PlainKey {
  return choices.find((choice) => choice.value === (value ?? ''))?.name ?? 'agents.as-the-conversation'
}
