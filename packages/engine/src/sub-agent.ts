import { defineTool, type Tool, type ToolReturn } from '@holdfast/tool'
import * as z from 'zod'
import type { Engine } from './engine.ts'
import { followTurn, type TurnEnd } from './follow-turn.ts'
import type { EnginePorts, ToolsQuery } from './ports.ts'

/** How deep sub-agents may call sub-agents: a conversation of a person is at 0. */
export const MOST_SUB_AGENT_DEPTH = 2

/** How long a sub-agent may work, in milliseconds. Waiting for a person does not count. */
const SUB_AGENT_TIMEOUT_MS = 30 * 60_000

const Input = z.object({
  title: z.string().min(1).max(80).describe('What it is about, in a few words.'),
  task: z.string().min(1).describe('All that it needs to know: it sees nothing of this conversation.'),
})

/** What the tool works with. */
export interface SubAgentDeps {
  readonly engine: Engine
  readonly ports: Pick<EnginePorts, 'store' | 'bus' | 'clock'>
  /** The conversation whose agent calls. */
  readonly parent: ToolsQuery
}

/**
 * The tool by which an agent gives a task to another one. The sub-agent has a conversation of its own, with its own
 * log, Stop and cost; a stop of the caller stops it. [AGENT3]
 */
export function createSubAgentTool({ engine, ports, parent }: SubAgentDeps): Tool {
  const childOf = (callId: string) => engine.conversationIdFor(parent.ownerId, commandIdOf(parent, callId))
  const tool = defineTool({
    name: 'run_agent',
    description:
      'Gives a task to another agent, which works on it by itself with the same tools, and returns its answer.',
    input: Input,
    category: 'other',
    // What it does is decided call by call in its own conversation.
    annotations: { destructive: false, openWorld: false },
    argumentRoles: { title: 'plain', task: 'plain' },
    timeoutMs: SUB_AGENT_TIMEOUT_MS,
    run: async ({ title, task }, { callId, signal, suspend }) => {
      const actor = { type: 'agent', agentId: parent.settings.agentId ?? 'agent' } as const
      const commandId = commandIdOf(parent, callId)
      const { conversationId } = await engine.createConversation({
        ...{ commandId, actor, ownerId: parent.ownerId, title },
        modelId: parent.settings.modelId ?? null,
        settings: inherited(parent),
        origin: { type: 'sub-agent', conversationId: parent.conversationId, callId, depth: parent.depth + 1 },
      })
      const content = [{ type: 'text' as const, text: task }]
      const sent = { commandId: `${commandId}:task`, actor, conversationId, content, lane: 'turn' as const }
      const { inputId, seq } = await engine.sendMessage({ ...sent, origin: 'api' })
      const stop = () =>
        void engine.stopRun({ commandId: `${commandId}:stop`, actor, conversationId, runId: null, force: false })
      signal.addEventListener('abort', stop, { once: true })
      const pause = pauseWhileAsked(suspend)
      try {
        const follow = { conversationId, inputId, admittedSeq: seq, signal: new AbortController().signal }
        return toReturn(await followTurn(ports, { ...follow, onEntry: pause.see }))
      } finally {
        signal.removeEventListener('abort', stop)
        pause.end()
      }
    },
  })
  return { ...tool, childConversationOf: childOf }
}

/** The same call has the same conversation, also after a crash. */
function commandIdOf({ conversationId }: ToolsQuery, callId: string): string {
  return `sub-agent:${conversationId}:${callId}`
}

function inherited({ settings }: ToolsQuery): ToolsQuery['settings'] {
  const { agentId, parameters, toolMode, includedTools, permissionMode, workspace } = settings
  return {
    ...(agentId === undefined ? {} : { agentId }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(toolMode === undefined ? {} : { toolMode }),
    ...(includedTools === undefined ? {} : { includedTools }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(workspace === undefined ? {} : { workspace }),
  }
}

/** Limits stand still while the sub-agent waits for a person. [PERM4] */
function pauseWhileAsked(suspend: () => () => void) {
  const open = new Set<string>()
  let release: (() => void) | null = null
  return {
    see(entry: { readonly type: string; readonly requestId?: string }) {
      const { type, requestId } = entry
      if (requestId !== undefined && type === 'permission-requested') open.add(requestId)
      if (requestId !== undefined && type === 'permission-settled') open.delete(requestId)
      if (open.size > 0) release ??= suspend()
      else {
        release?.()
        release = null
      }
    },
    end() {
      release?.()
    },
  }
}

function toReturn(end: TurnEnd | null): ToolReturn {
  const said = end?.text ? `\n\nIts last words:\n${end.text}` : ''
  if (end?.outcome === 'completed')
    return answer(end.text === '' ? 'The agent ended without an answer.' : end.text, false)
  const reason = end?.reason ? ` ${end.reason}` : ''
  return answer(`The agent did not finish its task: ${end?.outcome ?? 'its task was removed'}.${reason}${said}`, true)
}

function answer(text: string, isError: boolean): ToolReturn {
  return { type: 'tool-return', text, isError, images: [] }
}
