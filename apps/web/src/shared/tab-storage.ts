import type { OutboxKeeper, UnsentKeeper, UnsentText } from '@holdfast/client'

const OUTBOX = 'holdfast.outbox'

/** Keeps the tab's outbox over a reload. */
export const outboxKeeper: OutboxKeeper = {
  load: () => sessionStorage.getItem(OUTBOX),
  save: (text) => sessionStorage.setItem(OUTBOX, text),
}

/** Keeps what was typed and not sent, by conversation, over a reload of the tab. */
export const unsentKeeper: UnsentKeeper = keeperOf('holdfast.unsent')

/** Keeps where one reads, by conversation, over a reload of the tab. */
export const placeKeeper: UnsentKeeper = keeperOf('holdfast.place')

function keeperOf(name: string): UnsentKeeper {
  return {
    load: (key) => sessionStorage.getItem(`${name}.${key}`),
    save(key, text) {
      if (text === null) sessionStorage.removeItem(`${name}.${key}`)
      else sessionStorage.setItem(`${name}.${key}`, text)
    },
  }
}

/** What is written before there is a conversation: the tab's own. */
export const newUnsent: UnsentText = tabUnsent('new')

function tabUnsent(key: string): UnsentText {
  const listeners = new Set<() => void>()
  return {
    getSnapshot: () => unsentKeeper.load(key) ?? '',
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    write(text) {
      unsentKeeper.save(key, text === '' ? null : text)
      for (const listener of listeners) listener()
    },
    refresh() {},
  }
}
