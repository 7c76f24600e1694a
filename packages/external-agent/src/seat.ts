import type { AgentNote } from '@holdfast/engine'
import type { AgentChoice } from './agent-choice.ts'
import { AgentFailure } from './agent-failure.ts'
import type { TakenKinds } from './attached.ts'
import type { PromptBlock } from './connection.ts'
import { drainPrompt } from './drain-prompt.ts'
import { houseHabitsOf } from './find-house.ts'
import { giveBack, type LiveAgent, type LiveDeps, type Seated, startAgent } from './live-agent.ts'
import { AGENT_LIMITS } from './parts/limits.ts'
import { createPrompt, type Prompt } from './prompt.ts'
import { createSessionEars } from './session-ears.ts'
import { ANY_ANSWER } from './told.ts'

/** What agents are seated with. */
export interface SeatDeps extends LiveDeps {
  /** Writes into the log of a conversation what its agent did beside its answers. */
  readonly tell: (note: AgentNote) => void
  /** Hears what a session offers. [AGENT51] */
  readonly offered: (seated: Seated, live: Pick<LiveAgent, 'session' | 'connection' | 'gateway'>) => void
  /** Names of the house tools of this conversation. */
  readonly houseNames: () => readonly string[]
}

/** The place of an agent at one conversation: its program, its session, and the prompt that is open. */
export interface Seat extends Seated {
  /** Makes the session ready, held in what was chosen, and waits for what is still ending. @throws {AgentFailure} */
  ready(choice: AgentChoice, signal: AbortSignal): Promise<void>
  /** What the session has been told, by keys; null while there is no session. */
  told(): readonly string[] | null
  setTold(keys: readonly string[]): void
  prompt(): Prompt | null
  /** Sends a prompt. The seat is ready, and has none open. */
  begin(runId: string, blocks: readonly PromptBlock[]): Prompt
  /** What it takes beside words. The seat is ready. [AGENT49] */
  taken(): TakenKinds
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

const NOTHING_TAKEN: TakenKinds = { takesImages: false, takesEmbedded: false, losesPicturesBeside: false }

/** What a seat is at a moment. */
interface SeatState {
  live: LiveAgent | null
  told: readonly string[] | null
  prompt: Prompt | null
  wasStopped: boolean
  isClosed: boolean
}

/** Seats an agent; nothing is started before it is needed. */
export function createSeat(deps: SeatDeps, seated: Seated): Seat {
  const state: SeatState = { live: null, told: null, prompt: null, wasStopped: false, isClosed: false }
  const life = createLife(deps, { seated, state })
  const house = houseHabitsOf(seated.agent, deps.houseNames)
  let starting: Promise<void> | null = null
  let stopping: Promise<void> | null = null

  return {
    ...seated,
    async ready(choice, signal) {
      if (stopping !== null) await stopping
      if (state.live !== null && !state.live.connection.isOpen()) await state.live.connection.gone
      if (state.live?.needsRestart(choice)) await life.replace('Another model was chosen for it')
      if (state.live !== null) return unlessStopped(state.live.hold(choice), signal)
      starting ??= life.start(choice).finally(() => {
        starting = null
      })
      // A start goes on when nobody waits for it: the next turn finds it.
      await unlessStopped(starting, signal)
    },
    taken: () => state.live?.taken() ?? NOTHING_TAKEN,
    told: () => state.told,
    setTold(keys) {
      state.told = keys
    },
    prompt: () => state.prompt,
    begin(runId, blocks) {
      const { live, prompt } = state
      if (live === null || prompt !== null)
        throw new Error(`The seat of ${seated.agent.id} at ${seated.conversationId} is not ready`)
      const begun = createPrompt(runId, deps.clock, house)
      state.prompt = begun
      live.connection.prompt(live.session.sessionId, blocks).then(
        (answer) => begun.end({ type: 'answered', answer }),
        (error: unknown) => begun.end({ type: 'failed', error }),
      )
      return begun
    },
    finish(ended) {
      life.over(ended, false)
      state.wasStopped = false
    },
    wasStopped: () => state.wasStopped,
    async stop(ending) {
      if (state.prompt !== ending) return stopping ?? undefined
      stopping ??= life.endPrompt(ending).finally(() => {
        stopping = null
      })
      await stopping
    },
    forget: () => life.replace('Its session has another past'),
    isMetered: () => state.live?.gateway != null,
    pid: () => state.live?.connection.pid ?? null,
    async close(reason) {
      state.isClosed = true
      state.prompt?.end({ type: 'failed', error: new AgentFailure('gone', reason, {}) })
      await starting?.catch(() => {})
      await life.replace(reason)
    },
  }
}

/** Starts, watches, stops and replaces the program of a seat. */
interface Life {
  start(choice: AgentChoice): Promise<void>
  over(ended: Prompt, wasStopped: boolean): void
  endPrompt(ending: Prompt): Promise<void>
  replace(reason: string): Promise<void>
}

function createLife(deps: SeatDeps, { seated, state }: { readonly seated: Seated; readonly state: SeatState }): Life {
  const { conversationId, agent } = seated
  const ears = createSessionEars({ agent, prompt: () => state.prompt, notice })

  function notice(code: string, text: string): void {
    deps.tell({ conversationId, note: { type: 'notice', code, severity: 'warning', text } })
  }

  function detached(reason: string): void {
    deps.tell({ conversationId, note: { type: 'detached', agentId: agent.id, reason } })
  }

  /** An agent that has gone leaves its prompt, with why. */
  async function watch(watched: LiveAgent): Promise<void> {
    const why = await watched.connection.gone
    giveBack(watched)
    if (state.live !== watched) return
    state.live = null
    state.told = null
    state.prompt?.end({ type: 'failed', error: new AgentFailure('gone', why, {}) })
    detached(why)
  }

  async function replace(reason: string): Promise<void> {
    const old = state.live
    state.live = null
    state.told = null
    if (old === null) return
    await old.connection.close()
    detached(reason)
  }

  function over(ended: Prompt, wasStopped: boolean): void {
    if (state.prompt !== ended) return
    state.prompt = null
    ears.promptOver(wasStopped)
  }

  return {
    replace,
    over,
    async start(choice) {
      const live = await startAgent(deps, seated, choice)
      if (state.isClosed) {
        giveBack(live)
        await live.connection.close()
        throw new AgentFailure('gone', `${agent.name} is not needed any more`, {})
      }
      state.live = live
      state.told = []
      state.wasStopped = false
      const { session, held } = live
      deps.offered(seated, live)
      live.connection.listen(session.sessionId, ears.listenerOf(live))
      const attached = { agentId: agent.id, sessionId: session.sessionId, isMetered: live.gateway != null }
      deps.tell({ conversationId, note: { type: 'attached', ...attached } })
      if (held.held().modeId === null && session.modes.length > 0)
        notice('external-agent-mode', `${agent.name} has no mode known to ask first: it decides itself what it asks.`)
      void watch(live)
    },
    async endPrompt(ending) {
      const at = state.live
      const drained = await drainPrompt(deps.clock, ending, at)
      if (at === null || state.live !== at) return over(ending, true)
      if (drained.type === 'ended') {
        state.wasStopped = true
        state.told = state.told === null ? null : [...state.told, ANY_ANSWER]
        return over(ending, true)
      }
      if (drained.isSilent) {
        const seconds = AGENT_LIMITS.drainMs / 1_000
        const next = 'It is started again and told this conversation.'
        notice('external-agent-replaced', `${agent.name} did not stop within ${seconds} seconds and was ended. ${next}`)
      }
      await replace(drained.reason)
      ending.end({ type: 'failed', error: new AgentFailure('gone', `${agent.name} was ended`, {}) })
      over(ending, true)
    },
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
