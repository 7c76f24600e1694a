import { type EntryOf, EXTERNAL_AGENT, type Json } from '@holdfast/conversation'
import type { Engine, LiveMessage, ModelChoice, ToolsQuery } from '@holdfast/engine'
import { type AskingTurn, ProviderError, UNKNOWN_MODEL } from '@holdfast/provider'
import type { Tool, ToolDefinition } from '@holdfast/tool'
import { type AgentChoices, type ChoicesAsked, createAgentOffers } from './agent-offers.ts'
import { createAgentPlaces, type Watched } from './agent-places.ts'
import { createAgentPort } from './agent-port.ts'
import type { ProcessDeps } from './agent-process.ts'
import { type AgentTest, testAgent } from './agent-test.ts'
import { createAgentTools, houseTool } from './agent-tools.ts'
import type { HouseAnswer } from './house-calls.ts'
import { type ExternalAgent, knownAgent } from './known-agents.ts'
import type { LiveDeps } from './live-agent.ts'
import type { Seat } from './seat.ts'

/** What the agents of an installation work with. */
export interface ExternalAgentsDeps
  extends ProcessDeps,
    Pick<LiveDeps, 'openGateway' | 'openHouse' | 'settingsFolder'> {
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
  readonly engine: () => Pick<Engine, 'noteAgent' | 'answerPermission'>
  readonly onFault: (error: unknown) => void
}

/** The external agents of an installation at their conversations. */
export interface ExternalAgents {
  /** Each agent as the model of the conversations that it answers. */
  models(): readonly ModelChoice[]
  /** The tools of a conversation that an agent answers, with those that it is offered; null for one that none does. */
  toolsOf(query: ToolsQuery, offered: OfferedTools): readonly Tool[] | null
  readonly house: HouseTools
  /** Hears what is written: a run that ended without its prompt ends that too. */
  heard(message: LiveMessage): void
  /** Starts one in a folder and ends it. [AGENT47] */
  test(agent: ExternalAgent, at: { readonly folder: string; readonly signal: AbortSignal }): Promise<AgentTest>
  /** What can be chosen of one; it is started once to look where no session of it has said so. [AGENT51] */
  choices(asked: ChoicesAsked): Promise<AgentChoices>
  /** The agents have changed: programs that wait and were started as they were before are ended. [AGENT65] */
  changed(): void
  /** One was removed: its programs are ended, and turns that they are at. [AGENT65] */
  removed(agentId: string): void
  /** Numbers of the programs that run. */
  pids(): readonly number[]
  close(): Promise<void>
}

/** What an agent is given of the tools of its conversation. */
export interface OfferedTools {
  readonly watched: Watched
  /** Those that it may call. [AGENT41] */
  readonly house: readonly Tool[]
}

/** The tools of Holdfast that agents may call over MCP. [AGENT41, AGENT42] */
export interface HouseTools {
  /** Those of one conversation now. */
  definitionsOf(conversationId: string): readonly ToolDefinition[]
  /** Makes one call in the turn that the agent answers, and resolves with what the agent is to be told. */
  call(made: {
    readonly conversationId: string
    readonly name: string
    readonly input: Json
    /** Fires when the agent waits no longer. */
    readonly signal: AbortSignal
  }): Promise<HouseAnswer>
}

type Asked = Pick<EntryOf<'permission-requested'>, 'conversationId' | 'callId' | 'requestId' | 'userId'>

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

  function notice(conversationId: string, code: string, text: string): void {
    tell({ conversationId, note: { type: 'notice', code, severity: 'info', text } })
  }

  /** A person is not asked about what the agent does not wait for: nobody was there in time. [AGENT43] */
  function withdrawWhenLate({ conversationId, callId, requestId, userId }: Asked): void {
    const part = places.partOf(conversationId, callId)
    if (part?.type !== 'house-call') return
    const answer = { decision: 'unattended', scope: 'call', actor: { type: 'person', userId } } as const
    part.call.withdraw = () => {
      const command = { ...answer, commandId: `withdraw:${requestId}`, conversationId, requestId }
      deps.engine().answerPermission(command).catch(deps.onFault)
    }
    if (part.call.isGivenUp) part.call.withdraw()
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
      openPart(seat, part) {
        const callId = deps.nextCallId()
        places.openPart(seat, { callId, part })
        if (part.type === 'call') part.prompt.show(part.call, callId)
        if (part.type === 'house-call') part.call.openCallId = callId
        return callId
      },
      onBegin: places.begin,
      onFinish(seat) {
        places.release(seat)
        if (deps.openHouse && places.leavesHouse(seat)) notice(seat.conversationId, UNTAKEN, untaken(agent))
      },
      notice,
    })
    const choice: ModelChoice = { modelId, providerModelId: agent.id, name: agent.name, port, facts: UNKNOWN_MODEL }
    choices.set(agent.id, { agent, choice })
    return choice
  }

  return {
    models: () => deps.agents().map(choiceOf),
    toolsOf({ conversationId, ownerId, settings }, { watched, house }) {
      const agent = agentOf(settings.modelId)
      if (agent === null || !deps.mayUse(ownerId)) return null
      const known = { agentName: agent.name, partOf: (callId: string) => places.partOf(conversationId, callId) }
      const own = places.toolsAt({ conversationId, agent, watched, house }, () =>
        createAgentTools({
          ...known,
          onCall: (report) => places.reportsTo(conversationId, report),
          stop: (prompt) => places.stop(conversationId, prompt),
        }),
      )
      return [...own, ...house.map((tool) => houseTool(tool, known))]
    },
    house: {
      definitionsOf(conversationId) {
        places.tookHouse(conversationId)
        return places.houseAt(conversationId).map(({ definition }) => definition)
      },
      async call({ conversationId, ...made }) {
        const isOffered = places.houseAt(conversationId).some(({ definition }) => definition.name === made.name)
        if (!isOffered) return { text: `There is no tool named ${made.name} here`, isError: true }
        const prompt = places.promptAt(conversationId)
        return prompt === null ? { text: NO_REPLY, isError: true } : prompt.house.call(made)
      },
    },
    heard(message) {
      if (message.type !== 'entries') return
      for (const entry of message.entries) {
        if (entry.type === 'permission-requested') withdrawWhenLate(entry)
        if (entry.type !== 'run-finished') continue
        const prompt = places.promptAt(entry.conversationId)
        if (prompt?.runId === entry.runId) places.stop(entry.conversationId, prompt)
      }
    },
    test: (agent, at) => testAgent(deps, { agent, env: {}, ...at }),
    choices: offers.choices,
    changed: () => places.endReplaced(deps.agents()),
    removed: (agentId) => places.endOf(agentId, 'The agent was removed from Holdfast'),
    pids: places.pids,
    close: places.close,
  }
}

const NO_REPLY = 'No reply of this conversation is running: its tools may be called in one alone.'

const UNTAKEN = 'external-agent-tools'

function untaken({ id, name }: ExternalAgent): string {
  const said = `${name} was offered the canvas and the memories of this conversation, and did not take them.`
  return [said, knownAgent(id)?.houseNeeds ?? []].flat().join(' ')
}
