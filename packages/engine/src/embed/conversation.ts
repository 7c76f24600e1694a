import type { DraftDelta, EntryOf, InputPart } from '@holdfast/conversation'
import type { Engine } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { type WindowUse, windowUse } from './context-use.ts'
import { followTurn } from './follow-turn.ts'
import { figuresOf, NO_USAGE, sumOf, type UsageSums } from './usage-figures.ts'

/** What a run is told beside its input. */
export interface RunOptions {
  /** Stops the run; it ends as `stopped`, and keeps what was said. */
  readonly signal?: AbortSignal
  /** Told of the answer's text as it streams. */
  readonly onDelta?: (text: string) => void
  /** Told once for each step. */
  readonly onUsageUpdate?: (usage: { readonly step: UsageSums; readonly total: UsageSums }) => void
}

/** What became of a run. */
export interface RunResult {
  readonly outcome: EntryOf<'run-finished'>['outcome'] | 'removed'
  /** Why, where it is not `completed`. */
  readonly reason: string | null
  /** The words of the last answer. */
  readonly text: string
  readonly steps: readonly { readonly usage: UsageSums }[]
  readonly totalUsage: UsageSums
}

/** One conversation of an embedded engine. */
export interface EmbeddedConversation {
  readonly id: string
  /** Sends an input and waits for its end. Inputs that come while one is answered wait for their turn. */
  run(input: string | readonly InputPart[], options?: RunOptions): Promise<RunResult>
  /** Stops what runs. */
  stop(): Promise<void>
  /** How full the window is; null where there is no model. */
  context(): Promise<WindowUse | null>
}

interface ConversationDeps {
  readonly ports: EnginePorts
  readonly engine: Engine
  readonly ownerId: string
}

/** The conversation with an id; its log begins with its first run. */
export function createConversation({ ports, engine, ownerId }: ConversationDeps, id: string): EmbeddedConversation {
  const actor = { type: 'person', userId: ownerId } as const
  const commandId = (): string => ports.ids.next('call')

  async function begin(): Promise<void> {
    const { head } = await ports.store.read({ conversationId: id, after: 0, limit: 1 })
    if (head > 0) return
    await engine.createConversation({
      commandId: `create:${id}`,
      actor,
      ownerId,
      conversationId: id,
      title: null,
      modelId: null,
    })
  }

  async function stop(): Promise<void> {
    await engine.stopRun({ commandId: commandId(), actor, conversationId: id, runId: null, force: false })
  }

  return {
    id,
    stop,
    async run(input, settings) {
      const { signal, onDelta, onUsageUpdate } = settings ?? {}
      await begin()
      const content = typeof input === 'string' ? [{ type: 'text' as const, text: input }] : input
      const sent = { commandId: commandId(), actor, conversationId: id, content, lane: 'turn' as const }
      const { inputId, seq } = await engine.sendMessage(sent)
      const onAbort = (): void => void stop()
      signal?.addEventListener('abort', onAbort, { once: true })
      if (signal?.aborted) onAbort()
      let total = NO_USAGE
      const isText = textFilter()
      try {
        const end = await followTurn(ports, {
          conversationId: id,
          inputId,
          admittedSeq: seq,
          signal: new AbortController().signal,
          onDelta: (delta) => {
            if (isText(delta) && delta.text !== '') onDelta?.(delta.text)
          },
          onEntry: (entry, isOwn) => {
            if (!isOwn || entry.type !== 'usage-recorded') return
            const step = figuresOf(entry)
            total = sumOf(total, step)
            onUsageUpdate?.({ step, total })
          },
        })
        const steps = (end?.usage ?? []).map((usage) => ({ usage: figuresOf(usage) }))
        const { outcome, reason, text } = end ?? { outcome: 'removed' as const, reason: null, text: '' }
        return { outcome, reason, text, steps, totalUsage: steps.map(({ usage }) => usage).reduce(sumOf, NO_USAGE) }
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    context: () => windowUse({ engine, store: ports.store }, id),
  }
}

/** Tells which deltas are text: the first one of a block says what it is. */
function textFilter(): (delta: DraftDelta) => boolean {
  let open = ''
  const text = new Set<number>()
  return ({ stepId, block, start }) => {
    if (stepId !== open) text.clear()
    open = stepId
    if (start?.type === 'text') text.add(block)
    return text.has(block)
  }
}
