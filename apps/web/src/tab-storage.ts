import type { ComposerDraft, DraftKeeper, OutboxKeeper } from '@holdfast/client'

const OUTBOX = 'holdfast.outbox'

/** Keeps the tab's outbox over a reload. */
export const outboxKeeper: OutboxKeeper = {
  load: () => sessionStorage.getItem(OUTBOX),
  save: (text) => sessionStorage.setItem(OUTBOX, text),
}

/** Keeps what was typed and not sent, by conversation, over a reload of the tab. */
export const draftKeeper: DraftKeeper = {
  load: (key) => sessionStorage.getItem(`holdfast.draft.${key}`),
  save(key, text) {
    if (text === null) sessionStorage.removeItem(`holdfast.draft.${key}`)
    else sessionStorage.setItem(`holdfast.draft.${key}`, text)
  },
}

/** What is written before there is a conversation: the tab's own. */
export const newDraft: ComposerDraft = tabDraft('new')

function tabDraft(key: string): ComposerDraft {
  const listeners = new Set<() => void>()
  return {
    getSnapshot: () => draftKeeper.load(key) ?? '',
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    write(text) {
      draftKeeper.save(key, text === '' ? null : text)
      for (const listener of listeners) listener()
    },
    refresh() {},
  }
}
