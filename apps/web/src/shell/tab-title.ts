import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { useEffect } from 'react'
import markedIcon from '../icon-marked.svg'
import { say } from '../shared/language/say.ts'
import { useMissed } from '../shared/notify/notify.ts'

interface TabTitle {
  readonly client: Client
  /** What the tab shows. */
  readonly title: string
  /** Whether the conversation that it shows waits for the person: this is known here before the list knows it. */
  readonly isWaiting: boolean
}

/** Names the tab after what it shows, and says in each of them when any conversation waits for the person, or a turn ended unseen. */
export function useTabTitle({ client, title, isWaiting }: TabTitle): void {
  const isAnyWaiting = useObservable(client.conversations, ({ rows }) =>
    rows.some(({ state }) => state === 'waiting-for-permission' || state === 'waiting-for-answer'),
  )
  const { isDone } = useMissed()
  useEffect(() => {
    const needsYou = isWaiting || isAnyWaiting
    document.title = say(needsYou ? 'header.title-waiting' : isDone ? 'header.title-done' : 'header.title', { title })
    markIcon(needsYou || isDone)
  }, [isWaiting, isAnyWaiting, isDone, title])
}

/** The icon of the tab as the page came with it. */
let plainIcon: string | null = null

function markIcon(isMarked: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return
  plainIcon ??= link.href
  link.href = isMarked ? markedIcon : plainIcon
}
