import type { SessionListener } from './connection.ts'
import type { Chosen } from './held-session.ts'
import type { ExternalAgent } from './known-agents.ts'
import type { LiveAgent } from './live-agent.ts'
import { type AgentUpdate, CallFields, changeOf } from './parts/agent-update.ts'
import type { Prompt } from './prompt.ts'

/** What hears the sessions of one seat. */
export interface SessionEars {
  listenerOf(live: LiveAgent): SessionListener
  /** What came of the prompt so far is of an older one from now on. [AGENT2] */
  promptOver(wasStopped: boolean): void
}

/** [AGENT67] */
const FOR_GOOD =
  'offered no yes for one call alone: what you allowed, it may do again without asking. A deny rule still holds.'

/** Leads what an agent says to the prompt that is open, and nothing of an older one. [AGENT2] */
export function createSessionEars(deps: {
  readonly agent: ExternalAgent
  readonly prompt: () => Prompt | null
  readonly notice: (code: string, text: string) => void
}): SessionEars {
  const { agent, notice } = deps
  /** Ids of messages and calls of prompts that are over. */
  const past = new Set<string>()
  const current = new Set<string>()
  /** Those of `past` whose prompt was answered and not stopped. */
  const ended = new Set<string>()

  function isLate(id: string | null): boolean {
    if (id === null) return false
    if (past.has(id)) return true
    current.add(id)
    return false
  }

  /** Models repeat the ids of their calls: one that is announced behind a prompt that ended by itself is another. */
  function began(id: string): void {
    if (ended.delete(id)) past.delete(id)
  }

  function take(update: AgentUpdate): void {
    const prompt = deps.prompt()
    if (prompt === null) return
    switch (update.type) {
      case 'text':
      case 'thinking':
        if (!isLate(update.messageId)) prompt.said(update.type, update.text)
        return
      case 'call':
        if (update.isNew) began(update.change.toolCallId)
        if (!isLate(update.change.toolCallId)) prompt.changeCall(update.change)
        return
      case 'plan':
        prompt.plan(update.steps)
        return
      case 'chosen':
      case 'heard':
      case 'unused':
        return
    }
  }

  /** It is put back into what it is held in, and that is said. [AGENT6, AGENT52] */
  function putBack(what: 'mode' | 'model', id: string, { held }: LiveAgent): void {
    const chosen = held.held()
    const heldId = what === 'mode' ? chosen.modeId : chosen.modelId
    notice('external-agent-mode', `${agent.name} changed its ${what} to ${id} by itself. It was put back to ${heldId}.`)
    held.hold(chosen).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      notice('external-agent-mode', `${agent.name} could not be put back to ${what} ${heldId}: ${why}`)
    })
  }

  function chosenIs(told: Chosen, live: LiveAgent): void {
    const strayed = live.held.strayed(told)
    if (strayed === null) return
    if (strayed.modeId !== null) putBack('mode', strayed.modeId, live)
    else if (strayed.modelId !== null) putBack('model', strayed.modelId, live)
  }

  return {
    listenerOf: (live) => ({
      onUpdate(update) {
        if (update.type === 'chosen') chosenIs(update, live)
        else take(update)
      },
      onAnswered: () => deps.prompt()?.close(),
      async onPermission({ toolCall, options }) {
        const prompt = deps.prompt()
        const read = CallFields.safeParse(toolCall)
        if (!prompt || !read.success) return { outcome: 'cancelled' }
        began(read.data.toolCallId)
        if (isLate(read.data.toolCallId)) return { outcome: 'cancelled' }
        const answer = await prompt.ask(changeOf(read.data), options)
        const given = options.find((option) => answer.outcome === 'selected' && option.optionId === answer.optionId)
        if (given?.kind === 'allow_always') notice('external-agent-mode', `${agent.name} ${FOR_GOOD}`)
        return answer
      },
    }),
    promptOver(wasStopped) {
      for (const id of current) {
        past.add(id)
        if (wasStopped) ended.delete(id)
        else ended.add(id)
      }
      current.clear()
    },
  }
}
