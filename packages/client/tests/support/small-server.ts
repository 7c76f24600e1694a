import {
  applyDelta,
  type Draft,
  type DraftDelta,
  type Entry,
  emptyDraft,
  type NewEntry,
  placeEntry,
  sealDraft,
} from '@holdfast/conversation'
import {
  conversationCreated,
  inputAdmitted,
  runFinished,
  runStarted,
  stepStarted,
  titleChanged,
  usageRecorded,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { ClientFrame, parseFrame, problem, type ServerFrame } from '@holdfast/protocol'
import type { ServerEnd } from './bad-line.ts'

export const ID = 'conversation_1'

/** A small server with one conversation, whose model says what the test tells it to. */
export interface SmallServer {
  readonly log: readonly Entry[]
  /** What has streamed of the open step; null when none is open. */
  draft(): Draft | null
  accept(send: (text: string) => void): ServerEnd
  /** Starts to answer what waits, if nothing is being answered. */
  work(): void
  /** Streams words, if something is being answered. */
  say(words: string): void
  /** Ends the answer. */
  finish(): void
  name(title: string): void
}

export function createSmallServer(): SmallServer {
  const log: Entry[] = []
  const followers = new Set<(frame: ServerFrame) => void>()
  const answers = new Map<string, ServerFrame>()
  const waiting: string[] = []
  let open: { readonly runId: string; draft: Draft } | null = null
  let runs = 0
  append([conversationCreated('local')])

  function tell(frame: ServerFrame): void {
    for (const send of followers) send(frame)
  }

  function append(entries: readonly NewEntry[]): void {
    const placed = entries.map((entry, index) =>
      placeEntry(entry, { conversationId: ID, seq: log.length + index + 1, at: 1_000 + log.length + index }),
    )
    log.push(...placed)
    tell({ type: 'entries', conversationId: ID, entries: placed })
  }

  function carryOut(frame: Extract<ClientFrame, { type: 'command' }>): ServerFrame {
    const { commandId } = frame
    switch (frame.name) {
      case 'answer-permission':
      case 'answer-question':
        throw new Error('The small server asks for nothing')
      case 'create-conversation':
        throw new Error('The small server has one conversation')
      case 'send-message': {
        const [part] = frame.content
        waiting.push(`input_${log.length}`)
        append([{ ...inputAdmitted(`input_${log.length}`, part && 'text' in part ? part.text : ''), commandId }])
        return { type: 'accepted', commandId, conversationId: ID, seq: log.length }
      }
      case 'stop-run':
        if (!open)
          return { type: 'refused', commandId, problem: problem(409, 'nothing-runs', 'There is nothing to stop') }
        append([
          {
            type: 'stop-requested',
            actor: { type: 'person', userId: 'local' },
            commandId,
            runId: open.runId,
            mode: 'stop',
          },
        ])
        close('stopped')
        return { type: 'accepted', commandId, conversationId: ID, seq: log.length }
      default:
        throw new Error(`The small server does not know ${frame.name}`)
    }
  }

  function close(how: 'completed' | 'stopped'): void {
    if (!open) return
    const { runId, draft } = open
    open = null
    const ended = how === 'stopped' ? { finish: 'cut' as const, cut: 'stopped' as const } : { finish: 'end' as const }
    append([
      {
        type: 'step-finished',
        actor: { type: 'engine' },
        runId,
        stepId: draft.stepId,
        blocks: sealDraft(draft),
        ...ended,
      },
      usageRecorded(runId, draft.stepId, { input: 10, output: 5 }),
      runFinished(runId, how),
    ])
  }

  return {
    log,
    draft: () => open?.draft ?? null,
    accept(sendText) {
      const send = (frame: ServerFrame) => sendText(JSON.stringify(frame))
      return {
        onText(text) {
          const frame = parseFrame(ClientFrame, text, 1_000_000)
          switch (frame.type) {
            case 'hello':
              send({ type: 'welcome', protocol: 1, serverId: 'server_1', userId: 'local' })
              return
            case 'follow':
              followers.delete(send)
              followers.add(send)
              if (frame.after < log.length)
                send({ type: 'entries', conversationId: ID, entries: log.slice(frame.after) })
              if (open)
                send({ type: 'draft', conversationId: ID, ...open.draft, blocks: open.draft.blocks.slice(), offset: 0 })
              send({ type: 'caught-up', conversationId: ID, head: log.length })
              return
            case 'unfollow':
              followers.delete(send)
              return
            case 'ping':
              send({ type: 'pong' })
              if (followers.has(send)) send({ type: 'caught-up', conversationId: ID, head: log.length })
              return
            case 'terminal-open':
            case 'terminal-input':
            case 'terminal-read':
            case 'terminal-resize':
            case 'terminal-close':
              throw new Error('This server has no terminals')
            case 'command': {
              const answer = answers.get(frame.commandId) ?? carryOut(frame)
              answers.set(frame.commandId, answer)
              send(answer)
              return
            }
          }
        },
        onClose: () => followers.delete(send),
      }
    },
    work() {
      const inputId = open ? undefined : waiting.shift()
      if (inputId === undefined) return
      runs += 1
      const runId = `run_${runs}`
      open = { runId, draft: emptyDraft(`step_${runs}`) }
      append([
        runStarted(runId, 'turn'),
        userMessageSent(runId, inputId, `words of ${inputId}`),
        stepStarted(runId, `step_${runs}`, 'turn'),
      ])
    },
    say(words) {
      if (!open) return
      const block = open.draft.blocks[0]
      const delta: DraftDelta = {
        stepId: open.draft.stepId,
        block: 0,
        offset: block?.text.length ?? 0,
        text: words,
        ...(block ? {} : { start: { type: 'text' } }),
      }
      open.draft = applyDelta(open.draft, delta).draft
      tell({ type: 'delta', conversationId: ID, ...delta })
    },
    finish: () => close('completed'),
    name: (title) => append([titleChanged(title, 'auto')]),
  }
}
