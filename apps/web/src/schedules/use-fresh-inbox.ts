import type { Client } from '@holdfast/client'
import { useEffect } from 'react'

/** Changes of the list that come within this long are one reason to ask, in milliseconds. */
const GATHER_MS = 500

/** Asks for the inbox and the schedules again when a conversation has changed. */
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
    return () => {
      unsubscribe()
      if (timer !== null) clearTimeout(timer)
    }
  }, [client])
}
