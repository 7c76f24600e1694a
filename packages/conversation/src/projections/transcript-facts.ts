import * as z from 'zod'
import { AgentSwitched } from '../entries/agent-entries.ts'
import { CheckpointMade, CheckpointUndone, WindowMoved } from '../entries/context-entries.ts'
import { ConversationArchived, TitleChanged } from '../entries/conversation-entries.ts'
import { PathRewound } from '../entries/path-entries.ts'
import { NoticeRaised, ProviderErrorCode, StepFailed, StepFinished, StepStarted } from '../entries/run-entries.ts'
import { ChangeTarget, ErasureReceipt, FilesChanged } from '../entries/state-entries.ts'

/**
 * The schema of an item of the transcript: what `common` says of every item, beside what its role says, and its code where
 * a role has several. What an item was is not kept where its body was erased: only the role and the receipt. [PRJ7]
 */
export function transcriptItemOf<Common extends z.core.$ZodLooseShape>(common: Common) {
  return z.discriminatedUnion('state', [
    z.object({
      ...common,
      state: z.literal('erased'),
      role: z.enum(['user', 'assistant', 'title-request', 'title', 'summary-request', 'summary', 'notice', 'error']),
      /** Who erased what stood here, when, and what went with it. [LOG9] */
      erasure: ErasureReceipt,
    }),
    z.discriminatedUnion('role', [
      z.object({ ...common, role: z.literal('user'), state: Whole }),
      z.object({ ...common, role: z.literal('assistant'), state: StepState, ...answer }),
      z.object({ ...common, role: z.literal('title-request'), state: StepState }),
      z.object({ ...common, role: z.literal('title'), state: Whole, source: TitleChanged.shape.source }),
      z.object({ ...common, role: z.literal('summary-request'), state: StepState }),
      z.object({ ...common, role: z.literal('summary'), state: Whole, ...summary }),
      z.discriminatedUnion('code', [
        z.object({ ...common, role: Accounting, state: Whole, code: z.literal('path-rewound'), accounting: Rewound }),
        z.object({
          ...common,
          role: Accounting,
          state: Whole,
          code: z.literal('conversation-archived'),
          accounting: ConversationArchived.pick({ reason: true, totals: true }),
        }),
      ]),
      z.discriminatedUnion('code', [
        z.object({ ...common, role: Notice, state: Whole, code: z.literal('notice-raised'), raised: Raised }),
        z.object({ ...common, role: Notice, state: Whole, code: z.literal('checkpoint-undone'), ...undone }),
        z.object({ ...common, role: Notice, state: Whole, code: z.literal('window-moved'), ...moved }),
        z.object({ ...common, role: Notice, state: Whole, code: z.literal('agent-switched'), ...switched }),
        z.object({ ...common, role: Notice, state: Whole, code: z.literal('files-restored'), ...restored }),
      ]),
      z.object({ ...common, role: z.literal('error'), state: z.literal('failed'), ...failure }),
    ]),
  ])
}

const Whole = z.literal('complete')

/** `complete`, or what cut the answer. */
const StepState = z.enum(['complete', 'stopped', 'interrupted', 'failed', 'ended-early', 'too-long'])

const Accounting = z.literal('accounting')
const Notice = z.literal('notice')

const answer = {
  /** Why the model ended. */
  finish: StepFinished.shape.finish,
  /** How long the model thought, in milliseconds. */
  thinkingMs: StepFinished.shape.thinkingMs,
  /** Who answered, as it was called then; absent for the agent of a conversation that has none of its own. [AGENT4] */
  agent: StepStarted.shape.agent,
}

const summary = {
  source: CheckpointMade.shape.source,
  keptFromSeq: CheckpointMade.shape.keptFromSeq,
  coversFromSeq: CheckpointMade.shape.coversFromSeq,
  coversToSeq: CheckpointMade.shape.coversToSeq,
  verbatimSeqs: CheckpointMade.shape.verbatimSeqs,
  listedSeqs: CheckpointMade.shape.listedSeqs.unwrap(),
}

const Rewound = PathRewound.pick({ reason: true, setAsideCount: true, totals: true })

/** Which notice it is, by the code of whoever raised it: tools have codes of their own. */
const Raised = NoticeRaised.pick({ code: true, severity: true, until: true, model: true, window: true })

const undone = { checkpointSeq: CheckpointUndone.shape.checkpointSeq }

const moved = { startSeq: WindowMoved.shape.startSeq, leftOutCount: WindowMoved.shape.leftOutCount }

const switched = {
  agentId: AgentSwitched.shape.agentId,
  agentName: AgentSwitched.shape.agentName,
  avatar: AgentSwitched.shape.avatar,
}

const ChangedFile = FilesChanged.shape.changes.element.pick({ path: true, kind: true, entity: true, seen: true })

const restored = {
  restores: ChangeTarget,
  changed: z.array(ChangedFile),
  /** How many files were left alone on the way. */
  conflictCount: z.int().nonnegative(),
}

const failure = {
  code: ProviderErrorCode,
  attempt: StepFailed.shape.attempt,
  /** When the next attempt starts, in milliseconds since the Unix epoch; null when there is none. [RUN7] */
  retryAt: StepFailed.shape.retryAt.unwrap().nullable(),
}

/** What an item says by its role and its code. */
export type TranscriptFacts = Readonly<z.infer<ReturnType<typeof transcriptItemOf<Record<never, z.ZodType>>>>>

/** A file that a call changed, or a person brought back. */
export type ChangedFile = z.infer<typeof ChangedFile>
