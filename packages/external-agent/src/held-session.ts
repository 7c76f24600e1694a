import type { AgentChoice } from './agent-choice.ts'
import { AgentFailure } from './agent-failure.ts'
import type { AgentConnection } from './connection.ts'
import type { ExternalAgent } from './known-agents.ts'
import type { OpenedSession, SessionChoice } from './parts/opened-session.ts'

/** What a session works in: its mode and its model, by their ids; null where that is not known or not held. */
export type Chosen = Pick<AgentChoice, 'modeId' | 'modelId'>

/** Holds a session in what was chosen for it. [AGENT6, AGENT51] */
export interface HeldSession {
  readonly session: OpenedSession
  /** What it is held in now. */
  held(): Chosen
  /**
   * Sets it; null gives the model back that it began with. It counts as held before the agent is asked, so that what the agent
   * tells of it is no change of its own. @throws {AgentFailure} for what it does not offer, or refuses.
   */
  hold(chosen: Chosen): Promise<void>
  /** Takes what the agent tells. @returns what it changed by itself away from what it is held in; null for nothing. [AGENT52] */
  strayed(told: Chosen): Chosen | null
}

/** Holds a session in nothing yet. */
export function createHeldSession({
  agent,
  connection,
  session,
}: {
  readonly agent: Pick<ExternalAgent, 'name'>
  readonly connection: Pick<AgentConnection, 'setMode' | 'setModel'>
  readonly session: OpenedSession
}): HeldSession {
  let held: Chosen = { modeId: null, modelId: null }
  let setting: Promise<void> = Promise.resolve()
  let seen: Chosen = { modeId: session.currentModeId, modelId: session.currentModelId }

  function check({ modeId, modelId }: Chosen): void {
    const { modes, models } = session
    if (modeId !== null && modes.every(({ id }) => id !== modeId))
      throw notOffered(`${agent.name} has no mode ${modeId}`, modes)
    if (modelId === null || modelId === seen.modelId) return
    if (models.every(({ id }) => id !== modelId)) throw notOffered(`${agent.name} offers no model ${modelId}`, models)
  }

  async function set(what: string, id: string, work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!(error instanceof AgentFailure) || error.code !== 'refused') throw error
      throw new AgentFailure('refused', `${error.message}. It does not take the ${what} ${id}: choose another`, {
        cause: error,
      })
    }
  }

  async function apply({ modeId, modelId: chosenId }: Chosen): Promise<void> {
    const modelId = chosenId ?? session.currentModelId
    if (modeId !== null && modeId !== seen.modeId) {
      await set('mode', modeId, connection.setMode(session, modeId))
      seen = { ...seen, modeId }
    }
    if (modelId !== null && modelId !== seen.modelId) {
      await set('model', modelId, connection.setModel(session, modelId))
      seen = { ...seen, modelId }
    }
  }

  return {
    session,
    held: () => held,
    async hold(chosen) {
      check(chosen)
      held = chosen
      // One after the other: what is put back is back before anything else is asked.
      setting = setting.then(
        () => apply(chosen),
        () => apply(chosen),
      )
      await setting
    },
    strayed(told) {
      const before = seen
      seen = { modeId: told.modeId ?? seen.modeId, modelId: told.modelId ?? seen.modelId }
      const modeId = strayedTo({ before: before.modeId, now: seen.modeId, held: held.modeId })
      const modelId = strayedTo({ before: before.modelId, now: seen.modelId, held: held.modelId })
      return modeId === null && modelId === null ? null : { modeId, modelId }
    },
  }
}

/** What is told again as it was is no change: a session is set in two steps, and tells of both after each. */
function strayedTo({ before, now, held }: Readonly<Record<'before' | 'now' | 'held', string | null>>): string | null {
  return held === null || now === held || now === before ? null : now
}

function notOffered(what: string, there: readonly SessionChoice[]): AgentFailure {
  const ids = there.map(({ id }) => id)
  const words = ids.length === 0 ? 'none can be chosen' : `there is: ${ids.join(', ')}`
  return new AgentFailure('refused', `${what} here; ${words}. Choose another for this conversation`, {})
}
