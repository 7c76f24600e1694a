import type { Client, ConversationErasure, ConversationFiles, ConversationStore, RewindFields } from '@holdfast/client'
import { visibleItems } from '@holdfast/conversation'
import type { SentPart } from '@holdfast/protocol'
import { navigate } from '../../shared/address.ts'
import { say } from '../../shared/language/say.ts'
import { tell } from '../../shared/toasts/toasts.ts'
import { whenFree } from '../../shared/when-free.ts'

/** What is to be erased for good, and is asked about once more. */
export interface AskedErasure {
  /** The entries whose words go. */
  readonly seqs: readonly number[]
  readonly what: 'message' | 'reply' | 'set-aside'
}

/** What a person does to the path of a conversation. */
export interface ThreadActs {
  /** Does one of the others at once, or says why it has to wait for the end of a run. */
  whenFree(act: () => void): void
  /** Asks something else after this place; what followed it is set aside. @returns the command's id. */
  edit(keptSeq: number, content: readonly SentPart[]): string
  /** Asks the same again. */
  retry(keptSeq: number, reason: 'retry' | 'retry-after-error'): void
  /** Sets aside what follows this place. */
  rewind(toSeq: number): void
  /** Shows the branch that ends with this run. */
  selectBranch(lastRunId: string): void
  /** Who answers, and how long they may be silent. */
  readonly models: Client['models']
  /** How the conversations of sub-agents stand. */
  readonly conversations: Client['conversations']
  /** The files that the conversation changed. */
  readonly files: ConversationFiles
  /** Shows what an erasure would take, and asks once more. */
  askToErase(asked: AskedErasure): void
  /** Erases words for good. */
  readonly erasure: ConversationErasure
  /** Goes on from here in a conversation of its own. @throws {RequestFailedError} */
  branchFrom(atSeq: number): Promise<void>
}

/** The acts on one conversation. */
export function createThreadActs(
  client: Client,
  store: ConversationStore,
  askToErase: ThreadActs['askToErase'],
): ThreadActs {
  function rewind(wish: RewindFields): string {
    return store.rewind(wish)
  }

  return {
    whenFree: (act) => whenFree(store, act),
    models: client.models,
    conversations: client.conversations,
    files: client.files(store.getSnapshot().conversationId),
    askToErase,
    erasure: client.erasure(store.getSnapshot().conversationId),
    edit: (toSeq, content) => rewind({ toSeq, reason: 'edit', content: [...content] }),
    retry: (toSeq, reason) => void rewind({ toSeq, reason }),
    rewind(toSeq) {
      const { window, overview } = store.getSnapshot()
      const shown = visibleItems({ items: window.items, path: overview.path })
      const lastRunId = shown.findLast(({ role, runId }) => role === 'assistant' && runId !== null)?.runId ?? null
      const head = lastRunId === null ? undefined : window.runEnds.get(lastRunId)?.seq
      rewind({ toSeq, reason: 'rewind' })
      tell(say('message.rewound'), head === undefined ? null : () => void store.selectPath(head))
    },
    selectBranch(lastRunId) {
      const head = store.getSnapshot().window.runEnds.get(lastRunId)?.seq
      if (head !== undefined) store.selectPath(head)
    },
    async branchFrom(atSeq) {
      const { conversationId } = store.getSnapshot()
      navigate({ type: 'conversation', conversationId: await client.forkConversation(conversationId, atSeq) }, 'push')
    },
  }
}
