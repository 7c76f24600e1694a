import type { OutboxKeeper, UnsentKeeper, UnsentPart, UnsentText } from '@holdfast/client'
import { ComposerContent } from '@holdfast/protocol'

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

function tabUnsent(key: string): UnsentText {
  const listeners = new Set<() => void>()
  const partsKey = `${key}.parts`
  let parts = keptParts(unsentKeeper.load(partsKey))

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  function set(text: string, along: readonly UnsentPart[]): void {
    parts = along
    unsentKeeper.save(key, text === '' ? null : text)
    unsentKeeper.save(partsKey, along.length === 0 ? null : JSON.stringify(along))
    for (const listener of listeners) listener()
  }

  const getSnapshot = (): string => unsentKeeper.load(key) ?? ''
  return {
    getSnapshot,
    subscribe,
    parts: { getSnapshot: () => parts, subscribe },
    write: (text) => set(text, parts),
    add(part) {
      const isThere = parts.some((one) => JSON.stringify(one) === JSON.stringify(part))
      if (!isThere) set(getSnapshot(), [...parts, part])
    },
    remove: (part) =>
      set(
        getSnapshot(),
        parts.filter((one) => one !== part),
      ),
    clear: (sent) =>
      set(
        '',
        parts.filter((part) => !sent.includes(part)),
      ),
    refresh() {},
    heard() {},
  }
}

function keptParts(kept: string | null): readonly UnsentPart[] {
  const read = kept === null ? null : ComposerContent.safeParse(JSON.parse(kept))
  return (read?.data ?? []).filter((part) => part.type !== 'text')
}

/** What is written before there is a conversation: the tab's own. */
export const newUnsent: UnsentText = tabUnsent('new')
