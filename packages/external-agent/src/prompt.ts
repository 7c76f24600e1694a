import type { Clock, Json } from '@holdfast/conversation'
import { type ChangeSignal, createChangeSignal } from './change-signal.ts'
import type { PermissionAnswer, PromptAnswer } from './connection.ts'
import { createHouseCalls, type HouseCalls, type HouseHabits } from './house-calls.ts'
import type { CallChange, CallContent, PlanStep } from './parts/agent-update.ts'
import { foldersLeftBy } from './parts/left-folder.ts'
import type { SaidItem } from './told.ts'

/** An option of a request for permission. */
export interface PermissionOption {
  readonly optionId: string
  readonly kind: string
}

/** A request for permission that the agent waits for. [AGENT6] */
export interface AskedPermission {
  readonly options: readonly PermissionOption[]
  /** What is asked about: what the agent tells of the call meanwhile is no part of the question. [AGENT68] */
  readonly about: CallChange
  /** Whether a call of the log stands for it: then its end there is its answer. */
  isShown: boolean
  answer(answer: 'allow' | 'reject' | 'cancelled'): void
}

/** A call of the agent's own tools, as far as it has told of it. */
export interface AgentCall {
  readonly toolCallId: string
  title: string
  kind: string
  /** `pending`, `in_progress`, `completed` or `failed`; what else comes counts as in progress. */
  status: string
  content: readonly CallContent[]
  paths: readonly string[]
  rawInput: Json
  rawOutput: Json
  permission: AskedPermission | null
  /** The call of the log that stands for it and has not settled; null for none. */
  openCallId: string | null
  /** Whether it stands there as running, without a question. */
  isShownRunning: boolean
  /** Whether its end stands in the log. */
  isReported: boolean
}

/** What came of a prompt, in its order. */
export type PromptEvent =
  | { readonly type: 'said'; readonly as: 'text' | 'thinking'; readonly text: string }
  /** A call that nothing in the log stands for now. */
  | { readonly type: 'call'; readonly call: AgentCall }
  | { readonly type: 'plan'; readonly steps: readonly PlanStep[] }

/** How a prompt ended. */
export type PromptEnd =
  | { readonly type: 'answered'; readonly answer: PromptAnswer }
  | { readonly type: 'failed'; readonly error: unknown }

/** One prompt with all that comes of it: nothing of another one is ever in it. [AGENT2] */
export interface Prompt {
  readonly runId: string
  /** What was said while it was open: it is the next prompt of the same turn. */
  readonly saidMeanwhile: SaidItem[]
  /** What it was told that the log does not hold. */
  readonly beside: SaidItem[]
  readonly changes: ChangeSignal
  /** Its calls of house tools. */
  readonly house: HouseCalls
  /** The next event, left where it is; null while there is none. */
  peek(): PromptEvent | null
  take(): void
  /** Calls that were taken are the next events again. */
  putBack(calls: readonly AgentCall[]): void
  said(as: 'text' | 'thinking', text: string): void
  changeCall(change: CallChange): void
  plan(steps: readonly PlanStep[]): void
  /** Asks for a call; the promise resolves with what a person or a rule said. */
  ask(change: CallChange, options: readonly PermissionOption[]): Promise<PermissionAnswer>
  /** Nothing of it counts that comes from now on. */
  close(): void
  end(end: PromptEnd): void
  ended(): PromptEnd | null
  /** Whether the agent has shown by anything that it works on it. */
  wasHeard(): boolean
  /** A call of the log stands for one of the agent from here on. */
  show(call: AgentCall, callId: string): void
  /** It has settled. What the agent does further with its own is another one. */
  settle(call: AgentCall): void
  /** Its question alone has been answered: what it does, and its end, is told of behind that. [AGENT69] */
  settleQuestion(call: AgentCall): void
  /** Calls off all that waits for a yes, or for a house tool. */
  cancelQuestions(): void
  /** Says no to what was shown and did not run. */
  rejectShown(): void
  /** The call that was shown as running unasked and was denied: a rule forbids it; null for none. [AGENT36] */
  forbidden(): string | null
  /** Whether the agent is in a call of its own tools. */
  hasOpenCall(): boolean
  /** Whether the agent waits for somebody or for a house tool, and the log does not say so yet. */
  hasUnshownQuestion(): boolean
}

/** Begins a prompt of a run. */
export function createPrompt(runId: string, clock: Clock, { find: findHouse, limitMs }: HouseHabits): Prompt {
  const events: PromptEvent[] = []
  const calls = new Map<string, AgentCall>()
  const changes = createChangeSignal(clock)
  const house = createHouseCalls({ clock, limitMs, changed })
  let isClosed = false
  let wasHeard = false
  let end: PromptEnd | null = null

  function changed(): void {
    wasHeard = true
    changes.changed()
  }

  function heard(): boolean {
    if (isClosed) return false
    wasHeard = true
    return true
  }

  /** What stands in the log already is only looked at again by who waits for it. */
  function tell(call: AgentCall): void {
    const isQueued = events.some((event) => event.type === 'call' && event.call === call)
    if (!isOfHouse(call) && call.openCallId === null && !call.isReported && !isQueued)
      events.push({ type: 'call', call })
    changes.changed()
  }

  /** What an agent tells of a house tool is not written: the call itself is. One that reached nobody is the agent's own. [AGENT42] */
  function isOfHouse(call: AgentCall): boolean {
    const mark = call.permission === null ? findHouse(call) : null
    if (mark === null || !isOver(call)) return mark !== null
    call.isReported ||= house.takeTold(mark.name, mark.input)
    return call.isReported
  }

  return {
    runId,
    saidMeanwhile: [],
    beside: [],
    changes,
    house,
    peek: () => events[0] ?? null,
    take: () => void events.shift(),
    putBack: (taken) => void events.unshift(...taken.map((call) => ({ type: 'call', call }) as const)),
    said(as, text) {
      if (!heard() || text === '') return
      const last = events.at(-1)
      if (last?.type === 'said' && last.as === as) events.splice(-1, 1, { ...last, text: last.text + text })
      else events.push({ type: 'said', as, text })
      changes.changed()
    },
    changeCall(change) {
      if (heard()) tell(changedBy(callIn(calls, change.toolCallId), change))
    },
    plan(steps) {
      if (!heard()) return
      const last = events.at(-1)
      if (last?.type === 'plan') events.splice(-1, 1, { type: 'plan', steps })
      else events.push({ type: 'plan', steps })
      changes.changed()
    },
    async ask(change, options) {
      if (!heard() || end !== null) return { outcome: 'cancelled' }
      const told = callIn(calls, change.toolCallId)
      const call = foldersLeftBy(change) === null ? changedBy(told, change) : told
      // It is asked about here when it is called. [AGENT42]
      if (findHouse(call)?.isSure) return optionFor(options, 'allow')
      const answer = askFor(call, { about: change, options }, changes.changed)
      tell(call)
      return answer
    },
    close() {
      isClosed = true
    },
    end(how) {
      isClosed = true
      end ??= how
      if (how.type === 'answered') house.giveUp()
      house.end('The reply has ended.')
      for (const { permission } of calls.values()) permission?.answer('cancelled')
      changes.changed()
    },
    ended: () => end,
    wasHeard: () => wasHeard,
    show(call, callId) {
      call.openCallId = callId
      call.isShownRunning = call.permission === null && !isOver(call)
      if (call.permission) call.permission.isShown = true
    },
    settle(call) {
      call.openCallId = null
      call.isShownRunning = false
      call.isReported = isOver(call)
      if (call.permission !== null) tell(call)
    },
    settleQuestion(call) {
      call.openCallId = null
      if (call.permission !== null || call.status !== 'pending') tell(call)
    },
    cancelQuestions() {
      house.end('The person stopped this.')
      for (const { permission } of calls.values()) permission?.answer('cancelled')
    },
    rejectShown() {
      for (const { permission } of calls.values()) if (permission?.isShown) permission.answer('reject')
    },
    forbidden() {
      for (const { isShownRunning, title, kind } of calls.values())
        if (isShownRunning) return title === '' ? kind : title
      return null
    },
    hasOpenCall: () => [...calls.values()].some((call) => !isOver(call)),
    hasUnshownQuestion: () =>
      house.hasWaiting() || events.some((event) => event.type === 'call' && event.call.permission !== null),
  }
}

/** A question about a call, in the place of an older one. */
function askFor(
  call: AgentCall,
  { about, options }: Pick<AskedPermission, 'about' | 'options'>,
  changed: () => void,
): Promise<PermissionAnswer> {
  const answer = Promise.withResolvers<PermissionAnswer>()
  const asked: AskedPermission = {
    options,
    about,
    isShown: false,
    answer(said) {
      if (call.permission === asked) call.permission = null
      answer.resolve(said === 'cancelled' ? { outcome: 'cancelled' } : optionFor(options, said))
      changed()
    },
  }
  call.permission?.answer('cancelled')
  call.permission = asked
  return answer.promise
}

/** Looked up, or begun. */
function callIn(calls: Map<string, AgentCall>, toolCallId: string): AgentCall {
  const call = calls.get(toolCallId) ?? newCall(toolCallId)
  calls.set(toolCallId, call)
  return call
}

function changedBy(call: AgentCall, change: CallChange): AgentCall {
  call.title = change.title ?? call.title
  call.kind = change.kind ?? call.kind
  call.status = change.status ?? call.status
  call.content = change.content ?? call.content
  call.paths = change.paths ?? call.paths
  call.rawInput = change.rawInput ?? call.rawInput
  call.rawOutput = change.rawOutput ?? call.rawOutput
  return call
}

function newCall(toolCallId: string): AgentCall {
  return {
    toolCallId,
    title: '',
    kind: 'other',
    status: 'pending',
    content: [],
    paths: [],
    rawInput: null,
    rawOutput: null,
    permission: null,
    openCallId: null,
    isShownRunning: false,
    isReported: false,
  }
}

/** A yes is for this once, for what was allowed for longer is asked here again; a no likewise. [AGENT6] */
function optionFor(options: readonly PermissionOption[], said: 'allow' | 'reject'): PermissionAnswer {
  const found =
    options.find(({ kind }) => kind === `${said}_once`) ?? options.find(({ kind }) => kind === `${said}_always`)
  return found ? { outcome: 'selected', optionId: found.optionId } : { outcome: 'cancelled' }
}

/** Whether a call of an agent has come to its end. */
export function isOver({ status }: Pick<AgentCall, 'status'>): boolean {
  return status === 'completed' || status === 'failed'
}
