import { EXTERNAL_AGENT } from '@holdfast/conversation'
import type { Engine, LiveMessage, ModelChoice, ToolsQuery } from '@holdfast/engine'
import { type AskingTurn, ProviderError, UNKNOWN_MODEL } from '@holdfast/provider'
import type { CallEffect, Tool, ToolContext } from '@holdfast/tool'
import { createAgentPort } from './agent-port.ts'
import type { ProcessDeps } from './agent-process.ts'
import { type AgentTest, testAgent } from './agent-test.ts'
import { createAgentTools, type OpenPart } from './agent-tools.ts'
import type { ExternalAgent } from './known-agents.ts'
import { AGENT_LIMITS } from './limits.ts'
import { createSeat, type Seat, type SeatDeps } from './seat.ts'

/** What the agents of an installation work with. */
export interface ExternalAgentsDeps extends ProcessDeps, Pick<SeatDeps, 'openGateway'> {
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

/** What sees changes of a folder around the work of a call. */
export type Watched = (tool: Tool) => Tool

/** The external agents of an installation at their conversations. */
export interface ExternalAgents {
  /** Each agent as the model of the conversations that it answers. */
  models(): readonly ModelChoice[]
  /** The tools of a conversation that an agent answers; null for one that none does. */
  toolsOf(query: ToolsQuery, watched: Watched): readonly Tool[] | null
  /** Hears what is written: a run that ended without its prompt ends that too. */
  heard(message: LiveMessage): void
  test(agent: ExternalAgent, signal: AbortSignal): Promise<AgentTest>
  /** Numbers of the programs that run. */
  pids(): readonly number[]
  close(): Promise<void>
}

interface Place {
  readonly seat: Seat
  readonly parts: Map<string, OpenPart>
  /** Lets go of the folder that is watched while a prompt is open. */
  letGo: (() => void) | null
  stopIdle: (() => void) | null
  /** Where the last call reports what it changed. */
  report: ToolContext['report']
}

/** The tools that stand for an agent's in one conversation. They outlive its program. */
interface Tooling {
  readonly agent: ExternalAgent
  readonly watched: Watched
  readonly tools: readonly Tool[]
}

/** Conversations whose tools are kept at hand. */
const MOST_TOOLINGS = 1_000

/** The id under which an agent is the model of its conversations. */
export function externalModelId(agentId: string): string {
  return `${EXTERNAL_AGENT}${agentId}`
}

/** Seats agents at conversations as they are asked. */
export function createExternalAgents(deps: ExternalAgentsDeps): ExternalAgents {
  const { clock } = deps
  const places = new Map<string, Place>()
  const toolings = new Map<string, Tooling>()
  const closing = new Set<Promise<void>>()
  const choices = new Map<string, { readonly agent: ExternalAgent; readonly choice: ModelChoice }>()

  function agentOf(modelId: string | undefined): ExternalAgent | null {
    if (modelId === undefined || !modelId.startsWith(EXTERNAL_AGENT)) return null
    return deps.agents().find(({ id }) => externalModelId(id) === modelId) ?? null
  }

  function tell(note: Parameters<Engine['noteAgent']>[0]): void {
    deps.engine().noteAgent(note).catch(deps.onFault)
  }

  function leave(conversationId: string, reason: string): void {
    const place = places.get(conversationId)
    if (place === undefined) return
    places.delete(conversationId)
    place.stopIdle?.()
    place.letGo?.()
    const done = place.seat
      .close(reason)
      .catch(deps.onFault)
      .finally(() => closing.delete(done))
    closing.add(done)
  }

  function placeOf(
    { conversationId, ownerId, settings }: Pick<ToolsQuery, 'conversationId' | 'ownerId' | 'settings'>,
    agent: ExternalAgent,
  ): Place {
    const folder = deps.folderOf({ ownerId, settings }) ?? deps.emptyFolder()
    const known = places.get(conversationId)
    if (known && known.seat.agent === agent && known.seat.folder === folder) return known
    leave(conversationId, 'The conversation goes on with another agent, or elsewhere')
    const seat = createSeat({ ...deps, tell }, { conversationId, ownerId, agent, folder })
    const place: Place = {
      seat,
      parts: new Map(),
      letGo: null,
      stopIdle: null,
      report() {},
    }
    places.set(conversationId, place)
    return place
  }

  function seatFor(turn: AskingTurn, agent: ExternalAgent): Seat {
    if (!deps.mayUse(turn.ownerId))
      throw new ProviderError(
        'auth',
        `${agent.name} runs on the server with all its rights: only administrators may use it`,
        {},
      )
    const place = placeOf(turn, agent)
    place.stopIdle?.()
    place.stopIdle = null
    return place.seat
  }

  /** What an agent changes unasked happens before anybody waits for it: the folder is looked at as long as a prompt is open. */
  async function hold(place: Place): Promise<void> {
    const tooling = toolings.get(place.seat.conversationId)
    const [plain] = tooling?.tools ?? []
    if (tooling === undefined || plain === undefined || place.letGo !== null) return
    const over = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    place.letGo = over.resolve
    const holding = tooling.watched({
      ...plain,
      run: async () => {
        begun.resolve()
        await over.promise
      },
    })
    const context = {
      callId: deps.nextCallId(),
      signal: new AbortController().signal,
      timeoutMs: Number.MAX_SAFE_INTEGER,
      progress() {},
      report: (effect: CallEffect) => place.report(effect),
      suspend: () => () => {},
    }
    Promise.resolve(holding.run({}, context)).catch((error: unknown) => {
      begun.resolve()
      deps.onFault(error)
    })
    await begun.promise
  }

  function release(seat: Seat): void {
    const place = places.get(seat.conversationId)
    if (place?.seat !== seat) return
    place.letGo?.()
    place.letGo = null
    place.stopIdle?.()
    place.stopIdle = clock.after(AGENT_LIMITS.idleMs, () => {
      if (place.seat.prompt() === null) leave(seat.conversationId, 'Nothing was asked of it for a while')
    })
  }

  function choiceOf(agent: ExternalAgent): ModelChoice {
    const known = choices.get(agent.id)
    if (known?.agent === agent) return known.choice
    const modelId = externalModelId(agent.id)
    const port = createAgentPort({
      clock,
      providerId: modelId,
      seatFor: (turn) => seatFor(turn, agent),
      openPart({ seat, prompt, call }) {
        const callId = deps.nextCallId()
        places
          .get(seat.conversationId)
          ?.parts.set(callId, call === null ? { type: 'plan' } : { type: 'call', call, prompt })
        if (call !== null) prompt.show(call, callId)
        return callId
      },
      onBegin: async (seat) => {
        const place = places.get(seat.conversationId)
        place?.parts.clear()
        if (place) await hold(place)
      },
      onFinish: release,
      notice: (conversationId, code, text) =>
        tell({ conversationId, note: { type: 'notice', code, severity: 'info', text } }),
    })
    const choice: ModelChoice = { modelId, providerModelId: agent.id, name: agent.name, port, facts: UNKNOWN_MODEL }
    choices.set(agent.id, { agent, choice })
    return choice
  }

  return {
    models: () => deps.agents().map(choiceOf),
    toolsOf(query, watched) {
      const agent = agentOf(query.settings.modelId)
      if (agent === null || !deps.mayUse(query.ownerId)) return null
      const { conversationId } = query
      const known = toolings.get(conversationId)
      if (known?.agent === agent && known.watched === watched) return known.tools
      const tools = createAgentTools({
        agentName: agent.name,
        partOf: (callId) => places.get(conversationId)?.parts.get(callId) ?? null,
        onCall(report) {
          const place = places.get(conversationId)
          if (place) place.report = report
        },
        stop(prompt) {
          const seat = places.get(conversationId)?.seat
          if (seat) void seat.stop(prompt).then(() => release(seat), deps.onFault)
        },
      }).map(watched)
      toolings.delete(conversationId)
      toolings.set(conversationId, { agent, watched, tools })
      const [oldest] = toolings.keys()
      if (toolings.size > MOST_TOOLINGS && oldest !== undefined) toolings.delete(oldest)
      return tools
    },
    heard(message) {
      if (message.type !== 'entries') return
      for (const entry of message.entries) {
        if (entry.type !== 'run-finished') continue
        const seat = places.get(entry.conversationId)?.seat
        const prompt = seat?.prompt()
        if (seat && prompt?.runId === entry.runId) void seat.stop(prompt).then(() => release(seat), deps.onFault)
      }
    },
    test: (agent, signal) => testAgent(deps, { agent, folder: deps.emptyFolder(), signal }),
    pids: () => [...places.values()].flatMap(({ seat }) => seat.pid() ?? []),
    async close() {
      for (const conversationId of [...places.keys()]) leave(conversationId, 'Holdfast ended')
      while (closing.size > 0) await Promise.all(closing)
    },
  }
}
