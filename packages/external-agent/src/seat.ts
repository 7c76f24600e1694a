import type { Clock } from '@holdfast/conversation'
import type { AgentNote } from '@holdfast/engine'
import { AgentFailure } from './agent-failure.ts'
import type { ProcessDeps } from './agent-process.ts'
import { type AgentUpdate, CallFields, changeOf } from './agent-update.ts'
import { type AgentConnection, connectAgent, type OpenedSession, type SessionListener } from './connection.ts'
import { askModesOf, type ExternalAgent, knownAgent } from './known-agents.ts'
import { AGENT_LIMITS } from './limits.ts'
import { createPrompt, type Prompt } from './prompt.ts'
import { ANY_ANSWER } from './told.ts'

/** A way for the requests of one conversation's agent to a model through Holdfast. */
export interface Gateway {
  readonly key: string
  readonly origin: string
  revoke(): void
}

/** What agents are seated with. */
export interface SeatDeps extends ProcessDeps {
  /** Writes into the log of a conversation what its agent did beside its answers. */
  readonly tell: (note: AgentNote) => void
  /** Absent where agents ask their providers themselves. */
  readonly openGateway?: (asked: { readonly conversationId: string; readonly userId: string }) => Promise<Gateway>
}

/** Whose seat it is. */
export interface Seated {
  readonly conversationId: string
  readonly ownerId: string
  readonly agent: ExternalAgent
  readonly folder: string
}

/** The place of an agent at one conversation: its program, its session, and the prompt that is open. */
export interface Seat extends Seated {
  /** Makes the session ready, and waits for what is still ending. @throws {AgentFailure} */
  ready(signal: AbortSignal): Promise<void>
  /** What the session has been told, by keys; null while there is no session. */
  told(): readonly string[] | null
  setTold(keys: readonly string[]): void
  prompt(): Prompt | null
  /** Sends a prompt. The seat is ready, and has none open. */
  begin(runId: string, text: string): Prompt
  /** The prompt has been read to its end. */
  finish(prompt: Prompt): void
  /** Whether the last prompt was stopped: then the next one may be swallowed. [AGENT7] */
  wasStopped(): boolean
  /** Ends a prompt: cancel, drain, and else the program is replaced. Resolves when nothing of it comes any more. [AGENT1, AGENT7] */
  stop(prompt: Prompt): Promise<void>
  /** Begins the next prompt in another session, which has been told nothing. */
  forget(): Promise<void>
  isMetered(): boolean
  pid(): number | null
  close(reason: string): Promise<void>
}

interface Live {
  readonly connection: AgentConnection
  readonly session: OpenedSession
  readonly gateway: Gateway | null
  /** The mode that asks; null where the agent has none by a name that is known. */
  readonly pinned: string | null
}

/** Seats an agent; nothing is started before it is needed. */
export function createSeat(deps: SeatDeps, seated: Seated): Seat {
  const { clock } = deps
  const { conversationId, agent, folder, ownerId } = seated
  let live: Live | null = null
  let starting: Promise<void> | null = null
  let stopping: Promise<void> | null = null
  let told: readonly string[] | null = null
  let prompt: Prompt | null = null
  let wasStopped = false
  let isClosed = false
  /** Ids of messages and calls of prompts that are over. [AGENT2] */
  const past = new Set<string>()
  const current = new Set<string>()

  function notice(code: string, text: string): void {
    deps.tell({ conversationId, note: { type: 'notice', code, severity: 'warning', text } })
  }

  async function start(): Promise<void> {
    const gateway = (await deps.openGateway?.({ conversationId, userId: ownerId })) ?? null
    let connection: AgentConnection | null = null
    try {
      const env = gateway === null ? {} : (knownAgent(agent.id)?.gatewayEnv(gateway) ?? {})
      connection = await connectAgent(deps, { agent, folder, env, signal: new AbortController().signal })
      const session = await within(clock, connection.newSession(folder), agent)
      const pinned = await pin(connection, session)
      if (isClosed) throw new AgentFailure('gone', `${agent.name} is not needed any more`, {})
      live = { connection, session, gateway, pinned }
      told = []
      wasStopped = false
      past.clear()
      connection.listen(session.sessionId, listenerOf(connection, session, pinned))
      deps.tell({ conversationId, note: { type: 'attached', agentId: agent.id, sessionId: session.sessionId } })
      void watch(live)
    } catch (error) {
      gateway?.revoke()
      await connection?.close()
      throw error
    }
  }

  /** An agent that has gone leaves its prompt, with why. */
  async function watch(watched: Live): Promise<void> {
    const why = await watched.connection.gone
    watched.gateway?.revoke()
    if (live !== watched) return
    live = null
    told = null
    prompt?.end({ type: 'failed', error: new AgentFailure('gone', why, {}) })
    deps.tell({ conversationId, note: { type: 'detached', agentId: agent.id, reason: why } })
  }

  async function pin(connection: AgentConnection, session: OpenedSession): Promise<string | null> {
    const { modes, currentModeId } = session
    const wanted = askModesOf(agent).find((id) => modes.some((mode) => mode.id === id)) ?? null
    if (wanted === null) {
      if (modes.length > 0)
        notice(
          'external-agent-mode',
          `${agent.name} has no mode that is known to ask first: it decides itself what it asks about.`,
        )
      return null
    }
    if (wanted !== currentModeId) await within(clock, connection.setMode(session, wanted), agent)
    return wanted
  }

  function listenerOf(connection: AgentConnection, session: OpenedSession, pinned: string | null): SessionListener {
    return {
      onUpdate(update) {
        if (update.type === 'mode') modeChanged(update.modeId, { connection, session, pinned })
        else take(update)
      },
      onAnswered: () => prompt?.close(),
      async onPermission({ toolCall, options }) {
        const read = CallFields.safeParse(toolCall)
        if (!prompt || !read.success) return { outcome: 'cancelled' }
        current.add(read.data.toolCallId)
        return prompt.ask(changeOf(read.data), options)
      },
    }
  }

  function take(update: AgentUpdate): void {
    if (prompt === null) return
    switch (update.type) {
      case 'text':
      case 'thinking':
        if (isLate(update.messageId)) return
        prompt.said(update.type, update.text)
        return
      case 'call':
        if (isLate(update.change.toolCallId)) return
        prompt.changeCall(update.change)
        return
      case 'plan':
        prompt.plan(update.steps)
        return
      case 'mode':
      case 'heard':
      case 'unused':
        return
    }
  }

  /** Of an older prompt of the same session. */
  function isLate(id: string | null): boolean {
    if (id === null) return false
    if (past.has(id)) return true
    current.add(id)
    return false
  }

  function modeChanged(
    modeId: string,
    at: { readonly connection: AgentConnection; readonly session: OpenedSession; readonly pinned: string | null },
  ): void {
    const { connection, session, pinned } = at
    if (pinned === null || modeId === pinned) return
    notice(
      'external-agent-mode',
      `${agent.name} changed its mode to ${modeId} by itself. It was put back to ${pinned}, which asks first.`,
    )
    connection.setMode(session, pinned).catch((error: unknown) => {
      notice('external-agent-mode', `${agent.name} could not be put back to mode ${pinned}: ${messageOf(error)}`)
    })
  }

  async function replace(reason: string): Promise<void> {
    const old = live
    live = null
    told = null
    if (old === null) return
    await old.connection.close()
    deps.tell({ conversationId, note: { type: 'detached', agentId: agent.id, reason } })
  }

  function over(ended: Prompt): void {
    if (prompt !== ended) return
    prompt = null
    for (const id of current) past.add(id)
    current.clear()
  }

  async function endPrompt(ending: Prompt): Promise<void> {
    const at = live
    const wasHeard = ending.wasHeard()
    const until = clock.monotonicMs() + AGENT_LIMITS.drainMs
    ending.cancelQuestions()
    if (at !== null && ending.ended() === null) await at.connection.cancel(at.session.sessionId)
    await endedBy(ending, until)
    const end = ending.ended()
    ending.close()
    if (at === null || live !== at) over(ending)
    else if (end === null) {
      notice(
        'external-agent-replaced',
        `${agent.name} did not stop within ${AGENT_LIMITS.drainMs / 1_000} seconds and was ended. It is started again and told this conversation.`,
      )
      await replace('It did not stop')
      ending.end({ type: 'failed', error: new AgentFailure('gone', `${agent.name} did not stop`, {}) })
    } else if (end.type === 'failed') await replace('It failed when it was stopped')
    // Who answers a stop with the end of an answer that never began may begin it later. [AGENT7]
    else if (end.answer.stopReason !== 'cancelled' && !wasHeard) await replace('It did not hear the stop')
    else if (await passesFence(at.connection)) {
      wasStopped = true
      told = told === null ? null : [...told, ANY_ANSWER]
    } else await replace('It answered nothing after the stop')
    over(ending)
  }

  async function endedBy(ending: Prompt, until: number): Promise<void> {
    const never = new AbortController().signal
    while (ending.ended() === null && clock.monotonicMs() < until)
      await ending.changes.next({ limitMs: until - clock.monotonicMs(), signal: never })
  }

  async function passesFence(connection: AgentConnection): Promise<boolean> {
    const limit = Promise.withResolvers<false>()
    const cancel = clock.after(AGENT_LIMITS.graceMs, () => limit.resolve(false))
    const passed = connection.fence().then(
      () => true,
      () => false,
    )
    const answer = await Promise.race([passed, limit.promise])
    cancel()
    return answer
  }

  return {
    ...seated,
    async ready(signal) {
      if (stopping !== null) await stopping
      if (live !== null && !live.connection.isOpen()) await live.connection.gone
      if (live !== null) return
      starting ??= start().finally(() => {
        starting = null
      })
      // A start goes on when nobody waits for it: the next turn finds it.
      await unlessStopped(starting, signal)
    },
    told: () => told,
    setTold(keys) {
      told = keys
    },
    prompt: () => prompt,
    begin(runId, text) {
      if (live === null || prompt !== null) throw new Error(`The seat of ${agent.id} at ${conversationId} is not ready`)
      const { connection, session } = live
      const begun = createPrompt(runId, clock)
      prompt = begun
      connection.prompt(session.sessionId, [{ type: 'text', text }]).then(
        (answer) => begun.end({ type: 'answered', answer }),
        (error: unknown) => begun.end({ type: 'failed', error }),
      )
      return begun
    },
    finish(ended) {
      over(ended)
      wasStopped = false
    },
    wasStopped: () => wasStopped,
    async stop(ending) {
      if (prompt !== ending) return stopping ?? undefined
      stopping ??= endPrompt(ending).finally(() => {
        stopping = null
      })
      await stopping
    },
    forget: () => replace('Its session has another past'),
    isMetered: () => live?.gateway != null,
    pid: () => live?.connection.pid ?? null,
    async close(reason) {
      isClosed = true
      if (prompt !== null) prompt.end({ type: 'failed', error: new AgentFailure('gone', reason, {}) })
      await starting?.catch(() => {})
      await replace(reason)
    },
  }
}

async function within<Value>(clock: Clock, work: Promise<Value>, { name }: ExternalAgent): Promise<Value> {
  const limit = Promise.withResolvers<never>()
  const cancel = clock.after(AGENT_LIMITS.startMs, () =>
    limit.reject(
      new AgentFailure('cannot-start', `${name} opened no session within ${AGENT_LIMITS.startMs / 1_000} seconds`, {}),
    ),
  )
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    work.catch(() => {})
    cancel()
  }
}

async function unlessStopped(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const onAbort = (): void => stopped.resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    await Promise.race([work, stopped.promise])
  } finally {
    work.catch(() => {})
    signal.removeEventListener('abort', onAbort)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
