import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { useEffect } from 'react'
import { say } from '../shared/language/say.ts'

interface TabTitle {
  readonly client: Client
  /** What the tab shows. */
  readonly title: string
  /** Whether the conversation that it shows waits for the person: this is known here before the list knows it. */
  readonly isWaiting: boolean
}

/** Names the tab after what it shows, and says in each of them when any conversation waits for the person. */
export function useTabTitle({ client, title, isWaiting }: TabTitle): void {
  const isAnyWaiting = useObservable(client.conversations, ({ rows }) =>
    rows.some(({ state }) => state === 'waiting-for-permission' || state === 'waiting-for-answer'),
  )
  useEffect(() => {
    const name = isWaiting || isAnyWaiting ? 'header.title-waiting' : 'header.title'
    document.title = say(name, { title })
  }, [isWaiting, isAnyWaiting, title])
}
