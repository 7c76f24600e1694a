import type { PlaceQuery } from '@holdfast/engine'
import type { AskingTurn } from '@holdfast/provider'
import type { CallEffect, Tool, ToolContext } from '@holdfast/tool'
import { choiceIn } from './agent-choice.ts'
import type { OpenPart } from './agent-tools.ts'
import type { ExternalAgent } from './known-agents.ts'
import { AGENT_LIMITS } from './parts/limits.ts'
import type { Prompt } from './prompt.ts'
import { createSeat, type Seat, type SeatDeps } from './seat.ts'

/** What sees changes of a folder around the work of a call. */
export type Watched = (tool: Tool) => Tool

/** What places are made with. */
export interface AgentPlacesDeps extends Omit<SeatDeps, 'houseNames'> {
  readonly folderOf: (query: PlaceQuery) => string | null
  readonly emptyFolder: () => string
  readonly nextCallId: () => string
  readonly onFault: (error: unknown) => void
}

/** Whose tools, and what sees what their calls change. */
export interface ToolsAsked {
  readonly conversationId: string
  readonly agent: ExternalAgent
  readonly watched: Watched
  /** Tools of Holdfast that the agent may call. [AGENT41] */
  readonly house: readonly Tool[]
}

/** Where agents are seated, with what the log knows of their calls. */
export interface AgentPlaces {
  seatAt(at: AskingTurn, agent: ExternalAgent): Seat
  promptAt(conversationId: string): Prompt | null
  openPart(seat: Seat, opened: { readonly callId: string; readonly part: OpenPart }): void
  partOf(conversationId: string, callId: string): OpenPart | null
  reportsTo(conversationId: string, report: ToolContext['report']): void
  toolsAt(asked: ToolsAsked, make: () => readonly Tool[]): readonly Tool[]
  /** The house tools of a conversation, as they were asked for last. */
  houseAt(conversationId: string): readonly Tool[]
  /** Its agent has asked which house tools there are. */
  tookHouse(conversationId: string): void
  /** Whether an agent has answered and never asked for the house tools that it was offered; said once of a conversation. */
  leavesHouse(seat: Seat): boolean
  /** Looks at the folder from here on. Awaited before a prompt is sent. */
  begin(seat: Seat): Promise<void>
  /** The prompt is over. Who is asked nothing for a while gives its program back. */
  release(seat: Seat): void
  stop(conversationId: string, prompt: Prompt): void
  /** Ends programs that wait for their next message, of agents that are not these any more. [AGENT65] */
  endReplaced(agents: readonly ExternalAgent[]): void
  /** Ends programs of an agent, those at work too. [AGENT65] */
  endOf(agentId: string, reason: string): void
  pids(): readonly number[]
  close(): Promise<void>
}

interface Place {
  readonly seat: Seat
  readonly parts: Map<string, OpenPart>
  /** Lets go of the folder that is looked at while a prompt is open. */
  letGo: (() => void) | null
  stopIdle: (() => void) | null
  tookHouse: boolean
  /** Where the last call reports what it changed. */
  report: ToolContext['report']
}

/** The tools that stand for an agent's in one conversation. They outlive its program. */
interface Tooling extends Omit<ToolsAsked, 'conversationId'> {
  readonly tools: readonly Tool[]
  saidUntaken: boolean
}

/** Conversations whose tools are kept at hand. */
const MOST_TOOLINGS = 1_000

/** Makes the places of an installation; nobody is seated yet. */
export function createAgentPlaces(deps: AgentPlacesDeps): AgentPlaces {
  const places = new Map<string, Place>()
  const toolings = new Map<string, Tooling>()
  const closing = new Set<Promise<void>>()
  /** Conversations whose agent waits for the next message, from the one that has waited longest. */
  const idle = new Set<string>()

  function leave(conversationId: string, reason: string): void {
    const place = places.get(conversationId)
    if (place === undefined) return
    places.delete(conversationId)
    idle.delete(conversationId)
    place.stopIdle?.()
    place.letGo?.()
    const done = place.seat
      .close(reason)
      .catch(deps.onFault)
      .finally(() => closing.delete(done))
    closing.add(done)
  }

  const houseAt = (conversationId: string): readonly Tool[] => toolings.get(conversationId)?.house ?? []

  function release(seat: Seat): void {
    const place = places.get(seat.conversationId)
    if (place?.seat !== seat) return
    place.letGo?.()
    place.letGo = null
    place.stopIdle?.()
    place.stopIdle = deps.clock.after(AGENT_LIMITS.idleMs, () => {
      if (seat.prompt() === null) leave(seat.conversationId, 'Nothing was asked of it for a while')
    })
    idle.delete(seat.conversationId)
    idle.add(seat.conversationId)
    const waiting = [...idle].filter((conversationId) => places.get(conversationId)?.seat.pid() !== null)
    for (const longest of waiting.slice(0, -AGENT_LIMITS.idlePrograms))
      leave(longest, 'Nothing was asked of it for longer than of others')
  }

  return {
    release,
    seatAt({ conversationId, ownerId, runId, settings }, agent) {
      const folder = deps.folderOf({ ownerId, settings }) ?? deps.emptyFolder()
      const known = places.get(conversationId)
      const { paidBy } = choiceIn(settings)
      // What is under way is paid as it began.
      const isPaidSo = known?.seat.paidBy === paidBy || known?.seat.prompt()?.runId === runId
      if (known && known.seat.agent === agent && known.seat.folder === folder && isPaidSo) {
        known.stopIdle?.()
        known.stopIdle = null
        idle.delete(conversationId)
        return known.seat
      }
      leave(conversationId, 'The conversation goes on with another agent, elsewhere, or paid by another')
      const houseNames = (): readonly string[] => houseAt(conversationId).map(({ definition }) => definition.name)
      const seat = createSeat({ ...deps, houseNames }, { conversationId, ownerId, agent, folder, paidBy })
      places.set(conversationId, { seat, parts: new Map(), letGo: null, stopIdle: null, tookHouse: false, report() {} })
      return seat
    },
    promptAt: (conversationId) => places.get(conversationId)?.seat.prompt() ?? null,
    openPart: ({ conversationId }, { callId, part }) => void places.get(conversationId)?.parts.set(callId, part),
    partOf: (conversationId, callId) => places.get(conversationId)?.parts.get(callId) ?? null,
    reportsTo(conversationId, report) {
      const place = places.get(conversationId)
      if (place) place.report = report
    },
    houseAt,
    toolsAt({ conversationId, agent, watched, house }, make) {
      const known = toolings.get(conversationId)
      const isSame = known?.agent === agent && known.watched === watched
      const tools = isSame ? known.tools : make().map(watched)
      toolings.delete(conversationId)
      toolings.set(conversationId, { agent, watched, tools, house, saidUntaken: known?.saidUntaken === true })
      const [oldest] = toolings.keys()
      if (toolings.size > MOST_TOOLINGS && oldest !== undefined) toolings.delete(oldest)
      return tools
    },
    tookHouse(conversationId) {
      const place = places.get(conversationId)
      if (place) place.tookHouse = true
    },
    leavesHouse({ conversationId }) {
      const tooling = toolings.get(conversationId)
      if (!tooling || tooling.saidUntaken || tooling.house.length === 0) return false
      tooling.saidUntaken = places.get(conversationId)?.tookHouse === false
      return tooling.saidUntaken
    },
    async begin({ conversationId }) {
      const place = places.get(conversationId)
      const tooling = toolings.get(conversationId)
      place?.parts.clear()
      if (place && tooling && place.letGo === null) await hold(deps, place, tooling)
    },
    stop(conversationId, prompt) {
      const seat = places.get(conversationId)?.seat
      if (seat) void seat.stop(prompt).then(() => release(seat), deps.onFault)
    },
    endReplaced(agents) {
      for (const [conversationId, { seat }] of places)
        if (seat.prompt() === null && !agents.includes(seat.agent))
          leave(conversationId, `${seat.agent.name} was changed`)
    },
    endOf(agentId, reason) {
      for (const [conversationId, { seat }] of places) if (seat.agent.id === agentId) leave(conversationId, reason)
    },
    pids: () => [...places.values()].flatMap(({ seat }) => seat.pid() ?? []),
    async close() {
      for (const conversationId of [...places.keys()]) leave(conversationId, 'Holdfast ended')
      while (closing.size > 0) await Promise.all(closing)
    },
  }
}

/** What an agent changes unasked happens before anybody waits for it: the folder is looked at as long as a prompt is open. [AGENT12] */
async function hold(
  { nextCallId, onFault }: AgentPlacesDeps,
  place: Place,
  { watched, tools: [plain] }: Tooling,
): Promise<void> {
  if (plain === undefined) return
  const over = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  place.letGo = over.resolve
  const holding = watched({
    ...plain,
    run: async () => {
      begun.resolve()
      await over.promise
    },
  })
  const context = {
    callId: nextCallId(),
    signal: new AbortController().signal,
    timeoutMs: Number.MAX_SAFE_INTEGER,
    progress() {},
    report: (effect: CallEffect) => place.report(effect),
    suspend: () => () => {},
  }
  Promise.resolve(holding.run({}, context)).catch((error: unknown) => {
    begun.resolve()
    onFault(error)
  })
  await begun.promise
}
