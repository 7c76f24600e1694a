import type { ChangesAnswer, ChangesOf, ConversationFiles, SentDecision } from '@holdfast/client'
import { useEffect, useRef, useState } from 'react'
import { answerOf } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { tell, tellProblem } from '../shared/toasts/toasts.ts'

/** Changes under review, and what is done about them. */
export interface Review {
  /** Null until they are here. */
  readonly changes: ChangesAnswer | null
  readonly problem: string | null
  /** Whether a decision is on its way. */
  readonly isDeciding: boolean
  /** Decides, one after the other; what was decided is shown at once. */
  decide(decisions: readonly SentDecision[]): void
  /** Takes the last decision back, also one that is on its way; nothing where there is none. */
  undo(): void
  readonly canUndo: boolean
  readAgain(): void
}

/** What takes a decision back. */
type Undo =
  | { readonly type: 'marks'; readonly target: ChangesAnswer['target']; readonly decisions: readonly SentDecision[] }
  | { readonly type: 'set'; readonly seq: number }

/** Reads changes, and again whenever `round` is another. [UI75] */
export function useReview(files: ConversationFiles, of: ChangesOf, round: number): Review {
  const [changes, setChanges] = useState<ChangesAnswer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [waiting, setWaiting] = useState(0)
  const [undoCount, setUndoCount] = useState(0)
  const undos = useRef<readonly Undo[]>([])
  const line = useRef<Promise<void>>(Promise.resolve())
  const asked = useRef(0)
  const key = JSON.stringify(of)

  async function read(): Promise<void> {
    asked.current += 1
    const mine = asked.current
    const answer = await answerOf(files.readChanges(of))
    if (mine !== asked.current) return
    setProblem(answer.problem)
    if (answer.type === 'here') setChanges(answer.value)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what is asked about
  useEffect(() => {
    void read()
    return () => {
      asked.current += 1
    }
  }, [files, key, round])

  /** Decisions go in their order; what stands there is read when none is on its way. */
  function inLine(work: () => Promise<void>): void {
    setWaiting((count) => count + 1)
    line.current = line.current.then(async () => {
      await work()
      setWaiting((count) => count - 1)
    })
    const last = line.current
    void last.then(async () => {
      if (line.current === last) await read()
    })
  }

  function decide(decisions: readonly SentDecision[]): void {
    if (changes === null || decisions.length === 0) return
    const { target } = changes
    asked.current += 1
    setChanges(shownDecided(changes, decisions))
    inLine(async () => {
      const answer = await answerOf(files.decide(target, { decisions, meanwhile: true }))
      if (answer.type === 'failed') {
        tellProblem(answer.problem)
        return
      }
      const { seq, conflicts } = answer.value
      if (conflicts.length > 0) tellProblem(conflicts.map(({ reason }) => reason).join(' '))
      const back = decisions.map((decision) => ({ ...decision, keep: null }))
      const undo: Undo = seq === null ? { type: 'marks', target, decisions: back } : { type: 'set', seq }
      if (seq === null && decisions.some(({ keep }) => keep === false)) return
      keepUndos([...undos.current, undo])
      if (seq !== null)
        tell(say('review.was-rejected', { count: answer.value.restored.length }), () => takeBack(() => undo))
    })
  }

  function keepUndos(kept: readonly Undo[]): void {
    undos.current = kept
    setUndoCount(kept.length)
  }

  /** Which decision is taken back is asked when all before it are decided: two quick ones take two back. */
  function takeBack(which: () => Undo | undefined): void {
    inLine(async () => {
      const undo = which()
      if (undo === undefined || !undos.current.includes(undo)) return
      keepUndos(undos.current.filter((one) => one !== undo))
      const answer = await answerOf(undone(files, undo))
      const conflicts = answer.value?.conflicts ?? []
      if (answer.problem !== null) tellProblem(answer.problem)
      else if (conflicts.length > 0) tellProblem(conflicts.map(({ reason }) => reason).join(' '))
    })
  }

  return {
    changes,
    problem,
    isDeciding: waiting > 0,
    decide,
    canUndo: undoCount > 0 || waiting > 0,
    undo: () => takeBack(() => undos.current.at(-1)),
    readAgain: () => void read(),
  }
}

async function undone(files: ConversationFiles, undo: Undo) {
  if (undo.type === 'marks') return files.decide(undo.target, { decisions: undo.decisions, meanwhile: false })
  const { target, files: rows } = await files.readChanges({ type: 'set', seq: undo.seq })
  const decisions = rows.map(({ path, id }) => ({ path, seen: id, keep: false }))
  return files.decide(target, { decisions, meanwhile: true })
}

/** What is shown until the server has said what became of it. */
function shownDecided(changes: ChangesAnswer, decisions: readonly SentDecision[]): ChangesAnswer {
  const byPath = Map.groupBy(decisions, ({ path }) => path)
  const files = changes.files.map((file) => {
    const about = byPath.get(file.path)
    if (!about) return file
    const whole = about.find(({ hunkId }) => hunkId === undefined)
    const hunks = file.hunks.map((hunk) => {
      const decision = about.find(({ hunkId, lines }) => hunkId === hunk.id && lines === undefined) ?? whole
      if (!decision || hunk.state === 'overwritten' || hunk.state === 'rejected') return hunk
      const state = decision.keep === null ? 'open' : decision.keep ? 'kept' : 'rejected'
      return { ...hunk, state } as const
    })
    const isKept = whole ? whole.keep === true : hunks.length > 0 && hunks.every(({ state }) => state === 'kept')
    return { ...file, hunks, isKept, ...(whole?.keep === false ? { act: 'nothing' as const } : {}) }
  })
  return { ...changes, files }
}
