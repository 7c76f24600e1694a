import type { NewEntry, OpenRun, Overview, WaitingInput } from '@holdfast/conversation'
import { canonicalJson, type Tool, type ToolDefinition } from '@holdfast/tool'
import { startStep } from './ask-beside.ts'
import { judgeBudgets } from './budget.ts'
import { modelOf } from './chosen-model.ts'
import { endRun } from './end-run.ts'
import type { Ending } from './ending.ts'
import { dueFacts } from './facts/due-facts.ts'
import { finishStep } from './finish-step.ts'
import { hypotheticalLog } from './hypothetical-log.ts'
import { includedTools } from './included-tools.ts'
import { toolsByName, toolsQuery } from './judge-call.ts'
import { fitsAsItIs, makeRoom } from './make-room.ts'
import { isLocked } from './next-input.ts'
import type { EnginePorts, ModelChoice, SourceInstructions } from './ports.ts'
import type { Room } from './room.ts'
import { takeStep } from './take-step.ts'
import { ENGINE, type Turn } from './turn.ts'
import { composeTurn, priceOf, requestProblem, type TurnRequest } from './turn-request.ts'

/** Times that room is made for one request before it is sent as it is. */
const MOST_ROOM_MAKING = 4

/** Makes one step: what steers joins, the request is built from the log, asked, and its answer written down. */
export async function askModel(turn: Turn, run: OpenRun): Promise<void> {
  const { ports, log, runId, epoch } = turn
  const chosen = modelOf(ports.models(), log.overview())
  if (chosen.type === 'missing') return endNow(turn, { outcome: 'failed', reason: chosen.reason })
  await prepare(turn, run)
  const fitting = await fittingRequest(turn, run, chosen.choice)
  if (fitting.type === 'stopped') return
  if (fitting.type === 'end') return endNow(turn, fitting.ending)
  const { request, model, estimatedInputTokens } = fitting.at
  const problem = requestProblem(request)
  if (problem !== null) {
    turn.onFault(new Error(`The request of run ${runId} was not sent: ${problem}`))
    return endNow(turn, { outcome: 'failed', reason: `Holdfast built a request that it does not send: ${problem}` })
  }
  const over = await judgeBudgets(turn, priceOf(fitting.at, ports.clock.now()).now)
  if (over !== null) return endNow(turn, over)
  const askedAt = ports.clock.now()
  const stepId = await startStep(turn, 'turn', { ...fitting.at, notes: fitting.notes })
  if (stepId === null) return
  const address = { conversationId: log.conversationId, runId, stepId, epoch }
  const result = await takeStep({ ...turn, model, request, address })
  const { cacheBefore } = fitting.at
  await finishStep(turn, { stepId, model, request, estimatedInputTokens, cacheBefore, askedAt, result })
}

type Fitting =
  | Exclude<Room, { type: 'fits' | 'made' }>
  /** `notes` stand in the request and not in the log yet. */
  | { readonly type: 'request'; readonly at: TurnRequest; readonly notes: readonly NewEntry[] }

/** The request, with what the model is to know now, after room was made for it where that was needed. */
async function fittingRequest(turn: Turn, run: OpenRun, model: ModelChoice): Promise<Fitting> {
  const { ports, log, epoch, signal } = turn
  const choice = { model, thinkingOff: run.thinkingOff }
  for (let made = 0; ; ) {
    const before = await composeTurn(turn, choice)
    const stepCount = log.overview().runState.exclusive?.stepCount ?? 0
    // What a checkpoint or the window has just left out is noted again.
    const notes = await dueFacts({ ports, at: before, stepCount, signal })
    const withNotes = () => hypotheticalLog({ store: log, now: ports.clock.now() }, log, notes)
    const at = notes.length === 0 ? before : await composeTurn(withNotes(), choice)
    if (made === MOST_ROOM_MAKING || fitsAsItIs(at, run)) return { type: 'request', at, notes }
    // Room is planned by places of the log: what is to be told has one first.
    const written = await log.append({ epoch, command: null, dropDraft: null }, () => (signal.aborted ? [] : notes))
    if (written.entries.length > 0) continue
    const room = await makeRoom(turn, run, before)
    switch (room.type) {
      case 'fits':
        return { type: 'request', at: before, notes: [] }
      case 'made':
        made++
        break
      case 'end':
      case 'stopped':
        return room
    }
  }
}

/**
 * What must stand in the log before the request is built: what steers, unless the queue is held, and the definitions
 * of the tools. [REQ1, STOP9]
 */
async function prepare({ ports, log, runId, epoch }: Turn, run: OpenRun): Promise<void> {
  const definitions = toolsChanged(ports, log.conversationId, log.overview())
  await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const now = ports.clock.now()
    const { inputs, held } = state.queue
    const steering = run.stepCount === 0 || held !== null ? [] : inputs.filter((input) => steers(input, now))
    const sent = steering.map(({ inputId, content }): NewEntry => {
      return { type: 'user-message-sent', actor: ENGINE, runId, inputId, content: [...content] }
    })
    return [...definitions, ...sent]
  })
}

function steers(input: WaitingInput, now: number): boolean {
  return input.lane === 'steer' && !isLocked(input, now)
}

/** The definitions that requests carry from here on, if they are others than before. */
export function toolsChanged(ports: EnginePorts, conversationId: string, state: Overview): NewEntry[] {
  // With all tools off the old definitions stay, and with them the cache; nothing can be called. [TOOL10]
  if (state.settings.toolMode === 'all-off') return []
  const tools = includedTools(toolsByName(ports, conversationId, state), state)
  const definitions = tools.map(({ definition }) => loggedDefinition(definition))
  const asked = ports.instructionsOf?.(toolsQuery(conversationId, state)) ?? []
  const instructions = instructionsFor(tools, asked).map(({ source, text }) => ({ source, text }))
  const said = instructions.length === 0 ? {} : { instructions }
  const defined = `[${tools.map(({ definition }) => canonicalTextOf(definition)).join(',')}]`
  const all = `{"definitions":${defined},"instructions":${canonicalJson(instructions)}}`
  const hash = ports.sha256(instructions.length === 0 ? defined : all)
  const unchanged = state.toolDefinitions === null ? definitions.length === 0 : state.toolDefinitions.hash === hash
  return unchanged ? [] : [{ type: 'tools-changed', actor: ENGINE, hash, definitions, ...said }]
}

/** A tool as the log says what requests carry of it. */
function loggedDefinition({ name, description, parameters, source }: ToolDefinition) {
  return { name, description, parameters, ...(source === undefined ? {} : { source }) }
}

/** A conversation's definitions stay the same objects while they say the same, and every request asks for them. */
const canonicalTexts = new WeakMap<ToolDefinition, string>()

function canonicalTextOf(definition: ToolDefinition): string {
  const known = canonicalTexts.get(definition)
  if (known !== undefined) return known
  const text = canonicalJson(loggedDefinition(definition))
  canonicalTexts.set(definition, text)
  return text
}

/** What sources say, of those whose tools the request carries. */
function instructionsFor(tools: readonly Tool[], all: readonly SourceInstructions[]): readonly SourceInstructions[] {
  const sources = new Set(tools.map(({ definition }) => definition.source))
  return all.filter(({ source }) => sources.has(source))
}

/** Ends the run where nothing is open but the run itself. */
export async function endNow({ log, runId, epoch, onDraft }: Turn, ending: Ending): Promise<void> {
  await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const run = state.runState.exclusive
    return run?.runId === runId ? endRun(state, run, { ending, cutAnswer: false, halfCalls: [], lost: false }) : []
  })
  onDraft(null)
}
