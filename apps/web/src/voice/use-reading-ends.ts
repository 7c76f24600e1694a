import type { ConversationStore } from '@holdfast/client'
import { useEffect } from 'react'
import { reading, stopReading } from './reading.ts'

/** Ends what is read when somebody stops, sends another message, or goes elsewhere. [VOICE5] */
export function useReadingEnds(store: ConversationStore): void {
  useEffect(() => {
    const seen = new Set(namesIn(store))
    const unsubscribe = store.subscribe(() => {
      const news = namesIn(store).filter((name) => !seen.has(name))
      for (const name of news) seen.add(name)
      if ((news.length > 0 || isStopping(store)) && reading.getSnapshot().key !== null) stopReading()
    })
    return () => {
      unsubscribe()
      stopReading()
    }
  }, [store])
  useEffect(() => {
    // What is heard ends with the page, also where the page is kept to be gone back to.
    addEventListener('pagehide', stopReading)
    return () => removeEventListener('pagehide', stopReading)
  }, [])
}

/** Names all that was written to the agent, on its way, waiting and said, and the stop that was last. What is quick is seen in one of these places alone. */
function namesIn(store: ConversationStore): readonly string[] {
  const { outbox, overview, window } = store.getSnapshot()
  const { lastTurn } = overview.runState
  return [
    // A stop may be carried out before anybody is told that it was asked for.
    ...(lastTurn?.outcome === 'stopped' ? [`stopped/${lastTurn.runId}`] : []),
    ...outbox.flatMap(({ command }) => (command.name === 'send-message' ? [command.commandId] : [])),
    ...overview.queue.inputs.map(({ inputId }) => inputId),
    // The newest alone: those before it come when somebody reads back.
    `said/${window.items.findLast(({ role }) => role === 'user')?.seq}`,
  ]
}

function isStopping(store: ConversationStore): boolean {
  const { outbox, overview } = store.getSnapshot()
  const isAsked = (overview.runState.exclusive?.stopRequestedAt ?? null) !== null
  return isAsked || outbox.some(({ command }) => command.name === 'stop-run')
}
