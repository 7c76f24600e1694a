import { type AgentInUse, entriesBefore } from '@holdfast/conversation'
import {
  type Engine,
  type EnginePorts,
  followTurn,
  type OfferedAgent,
  type ToolsQuery,
  type TurnEnd,
  takenAgent,
} from '@holdfast/engine'
import { defineTool, type Tool, type ToolContext, type ToolReturn } from '@holdfast/tool'
import * as z from 'zod'
import { subAgentSettings } from './sub-agent-settings.ts'

/** How deep sub-agents may call sub-agents: a conversation of a person is at 0. */
export const MOST_SUB_AGENT_DEPTH = 2

/** How long a sub-agent may work, in milliseconds. Waiting for a person does not count. */
const SUB_AGENT_TIMEOUT_MS = 30 * 60_000

const Input = z.object({
  title: z.string().min(1).max(80).describe('What it is about, in a few words.'),
  agent: z
    .string()
    .min(1)
    .max(80)
    .optional()
    .describe('Name or id of the agent that is to do it; without it, one like you does.'),
  task: z.string().min(1).describe('All that it needs to know: it sees nothing of this conversation.'),
})

/** What the tool works with. */
export interface SubAgentDeps {
  readonly engine: Engine
  readonly ports: Pick<EnginePorts, 'store' | 'bus' | 'clock' | 'agents' | 'permissions'>
  /** The conversation whose agent calls. */
  readonly parent: ToolsQuery
}

/**
 * The tool by which an agent gives a task to another one. The sub-agent has a conversation of its own, with its own
 * log, Stop and cost; a stop of the caller stops it. [AGENT3]
 */
export function createSubAgentTool({ engine, ports, parent }: SubAgentDeps): Tool {
  /** What a call is answered with is what was found when its intent was written down. */
  const wanted = new Map<string, Promise<WantedAgent>>()
  function agentOf(call: NamedCall, name: string | undefined): Promise<WantedAgent> {
    const key = commandIdOf(parent, call)
    const known = wanted.get(key) ?? wantedAgent(ports, parent, name)
    wanted.set(key, known)
    return known
  }
  const tool = defineTool({
    name: 'run_agent',
    description:
      'Gives a task to another agent, which works on it by itself with the tools that it has, and returns its answer.',
    input: Input,
    category: 'other',
    // What it does is decided call by call in its own conversation.
    annotations: { destructive: false, openWorld: false },
    argumentRoles: { title: 'plain', task: 'plain', agent: 'plain' },
    timeoutMs: SUB_AGENT_TIMEOUT_MS,
    run: async ({ title, task, agent: name }, call) => {
      const { callId, signal, suspend } = call
      const actor = { type: 'agent', agentId: parent.settings.agentId ?? 'agent' } as const
      const commandId = commandIdOf(parent, call)
      const found = await agentOf(call, name)
      if (found.type === 'unknown') return unknownAgent(found)
      if (found.type === 'ambiguous') return ambiguousAgent(found)
      const pinned = await pinnedFor(ports, parent, callId)
      if (pinned !== null && pinned !== pinOf(found.agent)) return changedAgent(found.agent)
      const { settings, agent } = subAgentSettings(parent.settings, found.agent, ports.permissions.mode)
      const { conversationId } = await engine.createConversation({
        commandId,
        actor,
        ownerId: parent.ownerId,
        title,
        modelId: null,
        settings,
        ...(agent === null ? {} : { agent }),
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
  return {
    ...tool,
    async childConversationOf(call) {
      const found = await agentOf(call, Input.parse(call.input).agent)
      return found.type === 'found' ? engine.conversationIdFor(parent.ownerId, commandIdOf(parent, call)) : null
    },
    async askedAbout(call) {
      const found = await agentOf(call, Input.parse(call.input).agent)
      if (found.type !== 'found' || found.agent === null) return null
      const { agent, from } = found
      return { words: `It is agent ${JSON.stringify(agent.name)} ${from}.`, pinned: pinOf(agent) }
    },
  }
}

/** A call by all that names it. */
type NamedCall = Pick<ToolContext, 'callId' | 'stepId'>

/** The same call has the same conversation, also after a crash; one of another step has another. [RUN11] */
function commandIdOf({ conversationId }: ToolsQuery, { callId, stepId }: NamedCall): string {
  return `sub-agent:${conversationId}:${stepId ?? ''}:${callId}`
}

/** Who is to do a task: an agent, one like the caller (null), or nobody that there is. */
type WantedAgent =
  | { readonly type: 'found'; readonly agent: AgentInUse | null; readonly from: string }
  | { readonly type: 'ambiguous'; readonly name: string; readonly ids: readonly string[] }
  | { readonly type: 'unknown'; readonly name: string; readonly names: readonly string[] }

/**
 * The agent that is asked for by id, or by name: the person's own before the operator's, and both before what others
 * share, so that nobody puts theirs in another's place. Where several of one kind have the name, the id says which. [AGENT5]
 */
async function wantedAgent(
  { agents, permissions }: SubAgentDeps['ports'],
  { ownerId }: ToolsQuery,
  name: string | undefined,
): Promise<WantedAgent> {
  if (name === undefined) return { type: 'found', agent: null, from: '' }
  const offered = (await agents?.list(ownerId)) ?? []
  const asked = name.trim().toLowerCase()
  const byId = offered.filter((one) => one.agentId === name)
  const named = offered.filter((one) => one.name.toLowerCase() === asked)
  const nearest = ORIGINS.map((origin) => named.filter((one) => one.origin === origin)).find(({ length }) => length > 0)
  const [found, ...others] = byId.length > 0 ? byId : (nearest ?? [])
  if (!found) return { type: 'unknown', name, names: offered.map((one) => one.name) }
  if (others.length > 0) return { type: 'ambiguous', name, ids: [found, ...others].map(({ agentId }) => agentId) }
  return { type: 'found', agent: takenAgent(found, permissions.mode), from: originWords(found) }
}

/** Whose agent a name means first. */
const ORIGINS = ['own', 'operator', 'shared'] as const

function originWords({ origin, sharedBy, version }: OfferedAgent): string {
  const inVersion = version === null ? '' : ` in version ${version}`
  switch (origin) {
    case 'own':
      return `of your own${inVersion}`
    case 'operator':
      return `of this installation${inVersion}`
    case 'shared':
      return `that ${sharedBy ?? 'another person'} shares with you,${inVersion}`
  }
}

/** Names an agent as it is now. */
function pinOf(agent: AgentInUse | null): string {
  return agent === null ? '' : `${agent.agentId}@${agent.version ?? 0}`
}

/** Entries that are looked through at a time: those of one step. */
const PAGE_ENTRIES = 50

/** What a question about the call named; null where nobody was asked. It is read from the log, which outlives a restart. */
async function pinnedFor(
  { store }: SubAgentDeps['ports'],
  { conversationId }: ToolsQuery,
  callId: string,
): Promise<string | null> {
  const place = { conversationId, before: Number.MAX_SAFE_INTEGER, pageEntries: PAGE_ENTRIES }
  for await (const { entries } of entriesBefore(store, place))
    for (const entry of entries.toReversed()) {
      if (entry.type === 'permission-requested' && entry.callId === callId) return entry.pinned ?? null
      if (entry.type === 'step-finished') return null
    }
  return null
}

function ambiguousAgent({ name, ids }: Extract<WantedAgent, { type: 'ambiguous' }>): ToolReturn {
  return answer(`${ids.length} agents are called ${JSON.stringify(name)}. Name one by its id: ${ids.join(', ')}.`, true)
}

function changedAgent(agent: AgentInUse | null): ToolReturn {
  const words = `Agent ${JSON.stringify(agent?.name ?? '')} is another by now than the one that the person was asked about.`
  return answer(`${words} Nothing ran; call it again to ask about the new one.`, true)
}

/** Names that are told where one is not found. */
const MOST_NAMES = 50

function unknownAgent({ name, names }: Extract<WantedAgent, { type: 'unknown' }>): ToolReturn {
  const known =
    names.length === 0 ? 'There are none; leave it out.' : `There are: ${names.slice(0, MOST_NAMES).join(', ')}.`
  return answer(`There is no agent ${JSON.stringify(name)}. ${known}`, true)
}

/** Limits stand still while the sub-agent waits for a person. [PERM4] */
function pauseWhileAsked(suspend: () => () => void) {
  const open = new Set<string>()
  let release: (() => void) | null = null
  return {
    see(entry: { readonly type: string; readonly requestId?: string; readonly questionId?: string }) {
      const { type, requestId, questionId } = entry
      if (questionId !== undefined && type === 'question-asked') open.add(questionId)
      if (questionId !== undefined && type === 'question-settled') open.delete(questionId)
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
