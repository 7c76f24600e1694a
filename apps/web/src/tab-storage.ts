import type { OutboxKeeper } from '@holdfast/client'

const OUTBOX = 'holdfast.outbox'

/** Keeps the tab's outbox over a reload. */
export const outboxKeeper: OutboxKeeper = {
  load: () => sessionStorage.getItem(OUTBOX),
  save: (text) => sessionStorage.setItem(OUTBOX, text),
}

/** What was typed and not sent, by conversation, over a reload of the tab. */
export const unsentText = {
  load: (key: string): string => sessionStorage.getItem(`holdfast.unsent.${key}`) ?? '',
  save(key: string, text: string): void {
    if (text === '') sessionStorage.removeItem(`holdfast.unsent.${key}`)
    else sessionStorage.setItem(`holdfast.unsent.${key}`, text)
  },
}
