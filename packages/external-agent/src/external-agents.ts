import { EXTERNAL_AGENT } from '@holdfast/conversation'
import type { Engine, LiveMessage, ModelChoice, ToolsQuery } from '@holdfast/engine'
import { type AskingTurn, ProviderError, UNKNOWN_MODEL } from '@holdfast/provider'
import type { Tool } from '@holdfast/tool'
import { type AgentChoices, type ChoicesAsked, createAgentOffers } from './agent-offers.ts'
import { createAgentPlaces, type Watched } from './agent-places.ts'
import { createAgentPort } from './agent-port.ts'
import type { ProcessDeps } from './agent-process.ts'
import { type AgentTest, testAgent } from './agent-test.ts'
import { createAgentTools } from './agent-tools.ts'
import type { ExternalAgent } from './known-agents.ts'
import type { LiveDeps } from './live-agent.ts'
import type { Seat } from './seat.ts'

/** What the agents of an installation work with. */
export interface ExternalAgentsDeps extends ProcessDeps, Pick<LiveDeps, 'openGateway' | 'settingsFolder'> {
  /** The agents that there are now. */
  readonly agents: () => readonly ExternalAgent[]
  /** Whether a person may run programs on this machine: an agent works with all its rights. [AGENT15] */
  readonly mayUse: (userId: string) => boolean
  /** The folder of a conversation; null where it has none. */
  readonly folderOf: (query: Pick<ToolsQuery, 'ownerId' | 'settings'>) => string | null
  /** Where an agent works whose conversation has no folder. */
  readonly emptyFolder: () => string
  readonly nextCallId: () => string
  /** The engine that the conversations are in; asked for late, for it is made with these. */
  readonly engine: () => Pick<Engine, 'noteAgent'>
  readonly onFault: (error: unknown) => void
}

/** The external agents of an installation at their conversations. */
export interface ExternalAgents {
  /** Each agent as the model of the conversations that it answers. */
  models(): readonly ModelChoice[]
  /** The tools of a conversation that an agent answers; null for one that none does. */
  toolsOf(query: ToolsQuery, watched: Watched): readonly Tool[] | null
  /** Hears what is written: a run that ended without its prompt ends that too. */
  heard(message: LiveMessage): void
  /** Starts one in a folder and ends it. [AGENT47] */
  test(agent: ExternalAgent, at: { readonly folder: string; readonly signal: AbortSignal }): Promise<AgentTest>
  /** What can be chosen of one; it is started once to look where no session of it has said so. [AGENT51] */
  choices(asked: ChoicesAsked): Promise<AgentChoices>
  /** Numbers of the programs that run. */
  pids(): readonly number[]
  close(): Promise<void>
}

/** The id under which an agent is the model of its conversations. */
export function externalModelId(agentId: string): string {
  return `${EXTERNAL_AGENT}${agentId}`
}

/** Seats agents at conversations as they are asked. */
export function createExternalAgents(deps: ExternalAgentsDeps): ExternalAgents {
  const offers = createAgentOffers(deps)
  const places = createAgentPlaces({ ...deps, tell, offered: offers.heard })
  const choices = new Map<string, { readonly agent: ExternalAgent; readonly choice: ModelChoice }>()

  function agentOf(modelId: string | undefined): ExternalAgent | null {
    if (modelId === undefined || !modelId.startsWith(EXTERNAL_AGENT)) return null
    return deps.agents().find(({ id }) => externalModelId(id) === modelId) ?? null
  }

  function tell(note: Parameters<Engine['noteAgent']>[0]): void {
    deps.engine().noteAgent(note).catch(deps.onFault)
  }

  function seatFor(turn: AskingTurn, agent: ExternalAgent): Seat {
    if (deps.mayUse(turn.ownerId)) return places.seatAt(turn, agent)
    const why = 'runs on the server with all its rights: only administrators may use it'
    throw new ProviderError('auth', `${agent.name} ${why}`, {})
  }

  function choiceOf(agent: ExternalAgent): ModelChoice {
    const known = choices.get(agent.id)
    if (known?.agent === agent) return known.choice
    const modelId = externalModelId(agent.id)
    const port = createAgentPort({
      clock: deps.clock,
      providerId: modelId,
      seatFor: (turn) => seatFor(turn, agent),
      openPart({ seat, prompt, call }) {
        const callId = deps.nextCallId()
        places.openPart(seat, { callId, part: call === null ? { type: 'plan' } : { type: 'call', call, prompt } })
        if (call !== null) prompt.show(call, callId)
        return callId
      },
      onBegin: places.begin,
      onFinish: places.release,
      notice: (conversationId, code, text) =>
        tell({ conversationId, note: { type: 'notice', code, severity: 'info', text } }),
    })
    const choice: ModelChoice = { modelId, providerModelId: agent.id, name: agent.name, port, facts: UNKNOWN_MODEL }
    choices.set(agent.id, { agent, choice })
    return choice
  }

  return {
    models: () => deps.agents().map(choiceOf),
    toolsOf({ conversationId, ownerId, settings }, watched) {
      const agent = agentOf(settings.modelId)
      if (agent === null || !deps.mayUse(ownerId)) return null
      return places.toolsAt({ conversationId, agent, watched }, () =>
        createAgentTools({
          agentName: agent.name,
          partOf: (callId) => places.partOf(conversationId, callId),
          onCall: (report) => places.reportsTo(conversationId, report),
          stop: (prompt) => places.stop(conversationId, prompt),
        }),
      )
    },
    heard(message) {
      if (message.type !== 'entries') return
      for (const entry of message.entries) {
        if (entry.type !== 'run-finished') continue
        const prompt = places.promptAt(entry.conversationId)
        if (prompt?.runId === entry.runId) places.stop(entry.conversationId, prompt)
      }
    },
    test: (agent, at) => testAgent(deps, { agent, env: {}, ...at }),
    choices: offers.choices,
    pids: places.pids,
    close: places.close,
  }
}
