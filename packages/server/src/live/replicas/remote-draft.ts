import { applyDelta, type Draft, type DraftDelta, emptyDraft } from '@holdfast/conversation'

/** The open step of a run at another replica, as far as it has come here without a hole. */
export interface RemoteDraft {
  /** Takes a delta as it comes. What it makes known goes to `onDelta`, in order; what lies behind a hole is kept until that is filled. */
  take(delta: DraftDelta): void
  /** Takes what the store has of the open step: it is durable, and fills holes. @returns whether anything of it was new. */
  takeStored(stepId: string, deltas: readonly DraftDelta[]): boolean
  /** The step is durable up to this length of this block: what of it is known here goes to `onKept`. */
  keep(mark: { readonly stepId: string } & KeptMark): void
  /** A step that ended; late deltas of it change nothing. */
  end(stepId: string): void
  /** Forgets it: the run is not at another replica any more. */
  forget(): void
  /** Whether something is known that lies behind a hole. */
  hasHole(): boolean
  /** What is known without a hole; null where no step is open. */
  now(): Draft | null
}

/** How far a step is durable: a block up to a length, and its end with `isClosed`. */
export interface KeptMark {
  readonly block: number
  readonly length: number
  readonly isClosed: boolean
}

/** How far a step is durable whose last durable delta this is. */
export function keptMark({ block, offset, text, end }: DraftDelta): KeptMark {
  return { block, length: offset + text.length, isClosed: end !== undefined }
}

/** Where what becomes known is told. */
export interface RemoteDraftEvents {
  readonly onDelta: (delta: DraftDelta) => void
  /** Deltas that are durable. [RUN3] */
  readonly onKept: (deltas: readonly DraftDelta[]) => void
}

/** What lies behind a hole is kept up to so many UTF-16 code units; the store has it soon. [SCALE12] */
const MOST_BEHIND = 256 * 1_024

/** Makes one of which nothing is known. */
export function createRemoteDraft({ onDelta, onKept }: RemoteDraftEvents): RemoteDraft {
  let draft: Draft | null = null
  let endedStepId: string | null = null
  let behind: DraftDelta[] = []
  let behindSize = 0
  /** Told, and not known to be durable. */
  let notKept: DraftDelta[] = []
  /** How many of the stored deltas of the step were told to be durable. */
  let storedCount = 0

  function begin(stepId: string | null): void {
    draft = stepId === null ? null : emptyDraft(stepId)
    behind = behind.filter((delta) => delta.stepId === stepId)
    behindSize = behind.reduce((sum, { text }) => sum + text.length, 0)
    notKept = []
    storedCount = 0
  }

  /** @returns whether the draft goes on with it, or knew it already. */
  function apply(delta: DraftDelta): 'applied' | 'known' | 'gap' {
    if (draft === null || delta.stepId !== draft.stepId) {
      if (delta.block > 0 || delta.offset > 0 || !delta.start) return 'gap'
      begin(delta.stepId)
    }
    const applied = applyDelta(draft ?? emptyDraft(delta.stepId), delta)
    draft = applied.draft
    if (applied.outcome === 'applied') {
      notKept.push(delta)
      onDelta(delta)
    }
    return applied.outcome
  }

  function keepBehind(delta: DraftDelta): void {
    behind.push(delta)
    behindSize += delta.text.length
    while (behindSize > MOST_BEHIND) behindSize -= behind.shift()?.text.length ?? 0
  }

  /** What came too early is tried in the order of its coming. */
  function fill(): void {
    const waiting = behind
    behind = []
    behindSize = 0
    for (const delta of waiting) if (apply(delta) === 'gap') keepBehind(delta)
  }

  return {
    take(delta) {
      if (delta.stepId === endedStepId) return
      const outcome = behind.length > 0 && delta.stepId === draft?.stepId ? 'gap' : apply(delta)
      if (outcome === 'gap') keepBehind(delta)
    },
    takeStored(stepId, deltas) {
      if (stepId === endedStepId) return false
      if (draft?.stepId !== stepId) begin(stepId)
      const isNew = deltas.length > storedCount
      for (const delta of deltas.slice(storedCount)) apply(delta)
      if (isNew) onKept(deltas.slice(storedCount))
      storedCount = deltas.length
      notKept = notKept.filter((delta) => !isWithin(delta, deltas.at(-1)))
      fill()
      return isNew
    },
    keep(mark) {
      if (mark.stepId !== draft?.stepId) return
      const kept = notKept.filter((delta) => isUpTo(delta, mark))
      if (kept.length === 0) return
      notKept = notKept.filter((delta) => !isUpTo(delta, mark))
      onKept(kept)
    },
    end(stepId) {
      endedStepId = stepId
      behind = behind.filter((delta) => delta.stepId !== stepId)
      if (draft === null || draft.stepId === stepId) begin(null)
    },
    forget: () => begin(null),
    hasHole: () => behind.length > 0,
    now: () => draft,
  }
}

function isWithin(delta: DraftDelta, last: DraftDelta | undefined): boolean {
  return last !== undefined && isUpTo(delta, keptMark(last))
}

function isUpTo(delta: DraftDelta, { block, length, isClosed }: KeptMark): boolean {
  if (delta.block !== block) return delta.block < block
  return delta.offset + delta.text.length <= length && (delta.end === undefined || isClosed)
}
