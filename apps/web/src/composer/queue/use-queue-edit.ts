import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { unsentKeeper } from '../../shared/tab-storage.ts'
import type { QueueRow } from '../pending.ts'
import type { QueueAct } from './queue-act.ts'
import { isBeingEdited, withWords, writtenWords } from './queue-order.ts'

/** A lock that is renewed this often outlives a late timer. [STOP9] */
const RENEW_MS = 45_000

/** The one waiting message that this tab edits. */
export interface QueueEdit {
  readonly inputId: string
  readonly words: string
}

/** What can be done with the edit. */
export interface QueueEditing {
  readonly edit: QueueEdit | null
  begin(row: QueueRow): void
  write(words: string): void
  /** Gives the message its new words, and lets it be sent. */
  save(): void
  /** Ends the edit; the message stays as it was, and is let be sent. */
  leave(): void
}

interface Edited {
  /** The conversation, under which the tab keeps what was written. */
  readonly conversationId: string
  /** Null as long as it is not known. */
  readonly rows: readonly QueueRow[] | null
  readonly onAct: (act: QueueAct) => void
}

/**
 * The edit of a waiting message: it is locked for as long as this is shown. What was written is kept in the tab, so
 * that a reload or another conversation loses nothing. [STOP9]
 */
export function useQueueEdit({ conversationId, rows, onAct }: Edited): QueueEditing {
  const key = `queue.${conversationId}`
  const [edit, setEdit] = useState(() => keptEdit(unsentKeeper.load(key)))
  const row = rows?.find((one) => one.key === edit?.inputId)
  const inputId = edit && mayWait(rows, edit.inputId) ? edit.inputId : null
  const latest = useRef({ rows, onAct })
  useLayoutEffect(() => {
    latest.current = { rows, onAct }
  })
  /** The message that this tab has locked. */
  const locked = useRef<string | null>(null)

  useEffect(() => {
    if (inputId === null) return
    const lock = () => latest.current.onAct({ type: 'lock', inputId, isLocked: true })
    lock()
    locked.current = inputId
    const timer = setInterval(lock, RENEW_MS)
    return () => {
      clearInterval(timer)
      if (locked.current !== inputId) return
      locked.current = null
      if (mayWait(latest.current.rows, inputId)) latest.current.onAct({ type: 'lock', inputId, isLocked: false })
    }
  }, [inputId])

  function set(next: QueueEdit | null): void {
    unsentKeeper.save(key, next === null ? null : JSON.stringify([next.inputId, next.words]))
    setEdit(next)
  }

  return {
    edit,
    begin(asked) {
      if (asked.state !== 'outbox') set({ inputId: asked.key, words: writtenWords(asked.input.content) })
    },
    write: (words) => edit && set({ ...edit, words }),
    save() {
      if (!edit || !row || row.state === 'outbox') return
      const content = withWords(row.input.content, edit.words)
      if (!content) return
      locked.current = null
      onAct({ type: 'rewrite', inputId: edit.inputId, content })
      set(null)
    },
    leave: () => set(null),
  }
}

/** Whether this tab may edit it: nobody else does, and all of it can be sent again as it is. */
export function canEdit(row: QueueRow, now: number): boolean {
  return row.state !== 'outbox' && !isBeingEdited(row.input.lockedAt, now) && withWords(row.input.content, '.') !== null
}

/** As long as it is not known to be sent or removed. */
function mayWait(rows: readonly QueueRow[] | null, inputId: string): boolean {
  return rows === null || rows.some(({ key, state }) => key === inputId && state !== 'outbox')
}

function keptEdit(kept: string | null): QueueEdit | null {
  if (kept === null) return null
  const [inputId, words]: unknown[] = JSON.parse(kept)
  return typeof inputId === 'string' && typeof words === 'string' ? { inputId, words } : null
}
