import type { Client } from '@holdfast/client'
import { useEffect } from 'react'

/** Changes of the list that come within this long are one reason to ask, in milliseconds. */
const GATHER_MS = 500

/** So often a page in sight asks what schedules are said to be, in milliseconds. */
const LOOK_MS = 15_000

/** Asks for the inbox and the schedules again when a conversation has changed, and for the schedules when the page is looked at. */
export function useFreshInbox(client: Client): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    const unsubscribe = client.conversations.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = null
        client.inbox.load()
        client.schedules.load()
      }, GATHER_MS)
    })
    // What is said of schedules elsewhere changes no conversation.
    const look = (): void => {
      if (document.visibilityState === 'visible') client.schedules.load()
    }
    const looking = setInterval(look, LOOK_MS)
    document.addEventListener('visibilitychange', look)
    addEventListener('focus', look)
    return () => {
      clearInterval(looking)
      document.removeEventListener('visibilitychange', look)
      removeEventListener('focus', look)
      unsubscribe()
      if (timer !== null) clearTimeout(timer)
    }
  }, [client])
}
