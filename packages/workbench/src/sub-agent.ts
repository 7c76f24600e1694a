import { type Actor, type AgentInUse, type Clock, entriesBefore, waitUntil } from '@holdfast/conversation'
import {
  type Engine,
  type EnginePorts,
  followTurn,
  type InputCommand,
  type OfferedAgent,
  RefusedCommandError,
  readOverview,
  type ToolsQuery,
  type TurnEnd,
  takenAgent,
} from '@holdfast/engine'
import { type AskedAbout, defineTool, type Tool, type ToolContext, type ToolReturn } from '@holdfast/tool'
import * as z from 'zod'
import { type AgentProgram, type AgentPrograms, isProgram } from './agent-programs.ts'
import {
  type PlannedPlace,
  placeReport,
  plannedWords,
  planPlace,
  type SubAgentPlaceDeps,
  type TakenPlace,
  takePlace,
} from './sub-agent-place.ts'
import { subAgentSettings } from './sub-agent-settings.ts'
import { WorktreeRefusal } from './worktrees/worktree-refusal.ts'

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
  /** Absent where no agents are programs. */
  readonly handing?: SubAgentPlaceDeps & { readonly programs: AgentPrograms }
}

/**
 * The tool by which an agent gives a task to another one. The sub-agent has a conversation of its own, with its own
 * log, Stop and cost; a stop of the caller stops it. [AGENT3]
 */
export function createSubAgentTool(deps: SubAgentDeps): Tool {
  const { engine, ports, parent, handing } = deps
  /** What a call is answered with is what was found when its intent was written down. */
  const wanted = new Map<string, Promise<WantedAgent>>()
  function agentOf(call: NamedCall, name: string | undefined): Promise<WantedAgent> {
    const key = commandIdOf(parent, call)
    const known = wanted.get(key) ?? wantedAgent(deps, name)
    wanted.set(key, known)
    return known
  }
  const tool = defineTool({
    name: 'run_agent',
    description: `Gives a task to another agent, which works on it by itself with the tools that it has, and returns its answer.${programsTold(deps)}`,
    input: Input,
    category: 'other',
    // What it does is decided call by call in its own conversation.
    annotations: { destructive: false, openWorld: false },
    argumentRoles: { title: 'plain', task: 'plain', agent: 'plain' },
    timeoutMs: SUB_AGENT_TIMEOUT_MS,
    run: async ({ title, task, agent: name }, call) => {
      const { callId, signal, suspend } = call
      const found = await agentOf(call, name)
      if (found.type !== 'found') return notFound(found)
      const pinned = await pinnedFor(ports, parent, callId)
      const isAnother = pinned !== null && pinned !== pinOf(found)
      if (isAnother || !isThere(deps, found)) return changedAgent(found.agent)
      const actor = { type: 'agent', agentId: parent.settings.agentId ?? 'agent' } as const
      const commandId = commandIdOf(parent, call)
      const { ownerId } = parent
      const made = { ownerId, conversationId: engine.conversationIdFor(ownerId, commandId), title }
      const place = found.program && handing ? await placeOr(handing, found.program.place, made) : null
      if (place?.type === 'tool-return') return place
      if (signal.aborted && place?.worktree) await handing?.programs.worktrees.remove(place.worktree.id)
      if (signal.aborted) return answer('It was stopped before the agent began.', true)
      const { mode } = ports.permissions
      const { agent: wantedOne, program } = found
      const { settings, agent } = subAgentSettings({ caller: parent.settings, agent: wantedOne, program, mode })
      const { conversationId } = await engine.createConversation({
        commandId,
        actor,
        ownerId,
        title,
        modelId: null,
        settings: { ...settings, ...place?.settings },
        ...(agent === null ? {} : { agent }),
        origin: { type: 'sub-agent', conversationId: parent.conversationId, callId, depth: parent.depth + 1 },
      })
      const content = [{ type: 'text' as const, text: task }]
      const sent = { commandId: `${commandId}:task`, actor, conversationId, content, lane: 'turn' as const }
      const { inputId, seq } = await engine.sendMessage({ ...sent, origin: 'api' })
      const over = new AbortController()
      const stopper = () => stopperOf(ports, parent)
      const begun = { engine, clock: ports.clock, command: { commandId, actor, conversationId }, inputId, stopper }
      const stop = () => void stopTask(begun, over.signal)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      const pause = pauseWhileAsked(suspend)
      try {
        const follow = { conversationId, inputId, admittedSeq: seq, signal: new AbortController().signal }
        const end = await followTurn(ports, { ...follow, onEntry: pause.see })
        const done = { title, isCompleted: end?.outcome === 'completed', isOver: isOver(end) }
        return toReturn(end, place && handing ? await placeReport(handing, place, done) : '')
      } finally {
        signal.removeEventListener('abort', stop)
        over.abort()
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
      return found.type === 'found' ? askedAboutAgent(found) : null
    },
    async runsApart(call) {
      const input = Input.safeParse(call.input)
      if (!input.success) return false
      const found = await agentOf(call, input.data.agent)
      return found.type === 'found' && found.program?.place.type === 'apart'
    },
  }
}

/** How long a stop waits that could not be written down, in milliseconds. */
const STOP_AGAIN_MS = 500

/** The task of a sub-agent, and whose. */
interface Task {
  readonly engine: Engine
  readonly clock: Clock
  readonly command: Omit<InputCommand, 'inputId'>
  readonly inputId: string
  /** In whose name it is stopped; null for the agent that called. */
  readonly stopper: () => Promise<Actor | null>
}

/**
 * Takes back a task that has not begun, which would wait for nobody, and stops one that has. What cannot be written down
 * now is tried until it is, or the task is over: it would work on unstopped. [AGENT3]
 */
async function stopTask(task: Task, over: AbortSignal): Promise<void> {
  const { engine, clock, command, stopper } = task
  const stop = { ...command, commandId: `${command.commandId}:stop`, runId: null, force: false }
  while (!over.aborted) {
    try {
      if (!(await takenBack(task))) await engine.stopRun({ ...stop, actor: (await stopper()) ?? command.actor })
      return
    } catch (error) {
      // A conversation that is not there any more has nothing to stop.
      if (error instanceof RefusedCommandError) return
      await waitUntil(clock, clock.now() + STOP_AGAIN_MS, over)
    }
  }
}

/** Whoever stopped the caller stops its task too; null where nobody did. [AGENT77] */
async function stopperOf({ store }: SubAgentDeps['ports'], { conversationId }: ToolsQuery): Promise<Actor | null> {
  return (await readOverview(store, conversationId)).state.runState.exclusive?.stoppedBy ?? null
}

/** Whether nobody is meant to go on with a task: it is done, was stopped, or never began. */
function isOver(end: TurnEnd | null): boolean {
  return end === null || end.outcome === 'completed' || end.outcome === 'stopped'
}

async function takenBack({ engine, command, inputId }: Task): Promise<boolean> {
  try {
    await engine.removeInput({ ...command, commandId: `${command.commandId}:back`, inputId })
    return true
  } catch (error) {
    if (error instanceof RefusedCommandError) return false
    throw error
  }
}

/** Agents that are programs are named where a person may hand tasks to them; of equal names the ids are. [AGENT57, AGENT72] */
function programsTold({ parent, handing }: SubAgentDeps): string {
  const programs = handing?.programs.of(parent.ownerId) ?? []
  const names = programs.map(({ name, modelId }) => {
    const equal = programs.filter((one) => one.name.toLowerCase() === name.toLowerCase())
    return equal.length > 1 ? `${JSON.stringify(modelId)} (${JSON.stringify(name)})` : JSON.stringify(name)
  })
  if (names.length === 0) return ''
  return ` Programs of this machine are agents too: ${names.join(', ')}. Each works in a git worktree of its own, made of your folder as it stands, where that is in a repository; several calls in one step run at once. The answer names the branch and the files that changed.`
}

/** Whether the program is still the one that was found: it is started by its name, as it is then. [AGENT57] */
function isThere({ parent, handing }: SubAgentDeps, { program }: FoundAgent): boolean {
  if (program === null) return true
  const now = handing?.programs.of(parent.ownerId).find(({ modelId }) => modelId === program.modelId)
  return now?.pinned === program.pinned
}

/** Why no worktree was made is what the caller is told: it does not work in the caller's folder instead. */
async function placeOr(
  handing: SubAgentPlaceDeps,
  planned: PlannedPlace,
  made: Parameters<typeof takePlace>[2],
): Promise<(TakenPlace & { readonly type: 'taken' }) | ToolReturn> {
  try {
    return { type: 'taken', ...(await takePlace(handing, planned, made)) }
  } catch (error) {
    if (!(error instanceof WorktreeRefusal)) throw error
    return answer(`The agent did not begin, for no worktree was made for it. ${error.message}`, true)
  }
}

/** What a person is asked about: who it is, and of a program that it is one. [AGENT5, AGENT57] */
function askedAboutAgent(found: FoundAgent): AskedAbout | null {
  const { agent, from, program } = found
  if (agent === null) return null
  const who = `It is agent ${JSON.stringify(agent.name)} ${from}.`
  if (program === null) return { words: who, pinned: pinOf(found) }
  const { name, command, place } = program
  const words = `It is ${name}, a program of this server (${command}): it works with all rights of the account that runs Holdfast, outside of the sandbox, ${plannedWords(place)}.`
  return { words: agent.agentId === program.modelId ? words : `${who} ${words}`, pinned: pinOf(found) }
}

/** A call by all that names it. */
type NamedCall = Pick<ToolContext, 'callId' | 'stepId'>

/** The same call has the same conversation, also after a crash; one of another step has another. [RUN11] */
function commandIdOf({ conversationId }: ToolsQuery, { callId, stepId }: NamedCall): string {
  return `sub-agent:${conversationId}:${stepId ?? ''}:${callId}`
}

/** An agent; null for one like the caller. */
interface FoundAgent {
  readonly type: 'found'
  readonly agent: AgentInUse | null
  readonly from: string
  /** The program that it is, and where that is to work; null for one of ours. */
  readonly program: (AgentProgram & { readonly place: PlannedPlace }) | null
}

/** Who is to do a task: an agent, one like the caller (null), or nobody that there is. */
type WantedAgent =
  | FoundAgent
  /** A program that is not there, or that this person may not run. */
  | { readonly type: 'closed'; readonly name: string }
  | { readonly type: 'ambiguous'; readonly name: string; readonly ids: readonly string[] }
  | { readonly type: 'unknown'; readonly name: string; readonly names: readonly string[] }

/**
 * The agent that is asked for by id, or by name: the person's own before the operator's, and both before what others
 * share, so that nobody puts theirs in another's place. Where several of one kind have the name, the id says which. [AGENT5]
 */
async function wantedAgent({ ports, parent, handing }: SubAgentDeps, name: string | undefined): Promise<WantedAgent> {
  const { agents, permissions } = ports
  const { ownerId } = parent
  if (name === undefined) return { type: 'found', agent: null, from: '', program: null }
  const offered = (await agents?.list(ownerId)) ?? []
  const asked = name.trim().toLowerCase()
  const byId = offered.filter((one) => one.agentId === name)
  const named = offered.filter((one) => one.name.toLowerCase() === asked)
  const nearest = ORIGINS.map((origin) => named.filter((one) => one.origin === origin)).find(({ length }) => length > 0)
  const [found, ...others] = byId.length > 0 ? byId : (nearest ?? [])
  if (!found) return { type: 'unknown', name, names: offered.map((one) => one.name) }
  if (others.length > 0) return { type: 'ambiguous', name, ids: [found, ...others].map(({ agentId }) => agentId) }
  const agent = takenAgent(found, permissions.mode)
  const { modelId } = agent.settings
  const ours = { type: 'found', agent, from: originWords(found), program: null } as const
  if (!isProgram(modelId)) return ours
  const program = handing?.programs.of(ownerId).find((one) => one.modelId === modelId)
  if (!handing || !program) return { type: 'closed', name: found.name }
  return { ...ours, program: { ...program, place: await planPlace(handing, parent) } }
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
function pinOf({ agent, program }: FoundAgent): string {
  if (agent === null) return ''
  const own = `${agent.agentId}@${agent.version ?? 0}`
  return program === null ? own : `${own} ${program.pinned} ${program.place.type}`
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

function notFound(wanted: Exclude<WantedAgent, FoundAgent>): ToolReturn {
  switch (wanted.type) {
    case 'unknown':
      return unknownAgent(wanted)
    case 'ambiguous':
      return ambiguousAgent(wanted)
    case 'closed': {
      const why = 'is a program that is not on this server, or that only administrators may run'
      return answer(`Agent ${JSON.stringify(wanted.name)} ${why}. Nothing ran.`, true)
    }
  }
}

function ambiguousAgent({ name, ids }: Extract<WantedAgent, { type: 'ambiguous' }>): ToolReturn {
  return answer(`${ids.length} agents are called ${JSON.stringify(name)}. Name one by its id: ${ids.join(', ')}.`, true)
}

function changedAgent(agent: AgentInUse | null): ToolReturn {
  const words = `Agent ${JSON.stringify(agent?.name ?? '')} is another by now than the one that was found, and that the person was asked about.`
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

function toReturn(end: TurnEnd | null, place: string): ToolReturn {
  const behind = place === '' ? '' : `\n\n${place}`
  const said = end?.text ? `\n\nIts last words:\n${end.text}` : ''
  if (end?.outcome === 'completed')
    return answer(`${end.text === '' ? 'The agent ended without an answer.' : end.text}${behind}`, false)
  const reason = end?.reason ? ` ${end.reason}` : ''
  const outcome = end?.outcome ?? 'its task was removed'
  return answer(`The agent did not finish its task: ${outcome}.${reason}${said}${behind}`, true)
}

function answer(text: string, isError: boolean): ToolReturn {
  return { type: 'tool-return', text, isError, images: [] }
}
