import { EXCLUDED_RESULT } from '@holdfast/context'
import {
  type BlobStore,
  type Entry,
  type EntryLog,
  type EntryOf,
  entriesBefore,
  type SnapshotStore,
} from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import type { FindResult, StoredResult } from '@holdfast/toolbox'

/** Entries that are looked through at once. */
const PAGE = 500

/**
 * Finds what `read_result` reads: in the log of this conversation, and bodies that this log names. Another
 * conversation's are not reached, whoever owns it. Of a result that a person left out it gives the mark. [WIN6, LOG11,
 * TOOL10]
 */
export function findResultIn(
  store: Pick<EntryLog, 'read'> & BlobStore & SnapshotStore,
  conversationId: string,
): FindResult {
  async function settledCall(callId: string, signal: AbortSignal): Promise<EntryOf<'tool-call-settled'> | null> {
    const whole = { conversationId, before: Number.MAX_SAFE_INTEGER, pageEntries: PAGE, signal }
    for await (const { entries } of entriesBefore(store, whole)) {
      const found = entries.findLast((entry) => isSettlementOf(entry, callId))
      if (found?.type === 'tool-call-settled') return found
    }
    return null
  }

  async function wholeOf({ blob, content }: EntryOf<'tool-call-settled'>): Promise<StoredResult | null> {
    if (!blob) return textOf(content)
    const stored = await store.readBlob({ conversationId, hash: blob.hash })
    return stored && { sizeBytes: stored.reference.sizeBytes, content: stored.content }
  }

  return async (reference, { signal }) => {
    switch (reference.type) {
      case 'call': {
        const settled = await settledCall(reference.callId, signal)
        if (settled === null) return null
        const { exclusions } = (await readOverview(store, conversationId)).state
        return exclusions.includes(settled.seq) ? textOf([{ type: 'text', text: EXCLUDED_RESULT }]) : wholeOf(settled)
      }
      case 'entry': {
        const { entries } = await store.read({ conversationId, after: reference.seq - 1, limit: 1 })
        const [entry] = entries
        return entry?.type === 'user-message-sent' ? textOf(entry.content) : null
      }
    }
  }
}

function isSettlementOf(entry: Entry, callId: string): boolean {
  return entry.type === 'tool-call-settled' && entry.callId === callId
}

function textOf(parts: readonly { readonly type: string; readonly text?: string }[]): StoredResult {
  const bytes = Buffer.from(parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n\n'))
  return { sizeBytes: bytes.byteLength, content: onePiece(bytes) }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
