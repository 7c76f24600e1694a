import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { PresetRow } from '@holdfast/protocol'
import { useState } from 'react'
import { type Place, useIsGit } from '../workspaces/place-picker.tsx'
import { worksThere } from '../workspaces/works-there.ts'

/** Where a new conversation will work. */
export interface FirstPlace {
  readonly place: Place | 'ask'
  /** Null for what the preset or the folder says. */
  readonly setPlace: (place: Place | null) => void
  /** Asks the person, and waits for the answer. */
  readonly askPlace: () => Promise<Place>
  /** Takes the answer; null while nothing is asked. */
  readonly asked: ((place: Place) => void) | null
}

/** Where a new conversation works: as it is chosen, as its preset says, and apart where another works in the folder. [WS37] */
export function useFirstPlace(
  client: Client,
  { workspaceId, preset }: { readonly workspaceId: string | null; readonly preset: PresetRow | null },
): FirstPlace {
  const [chosen, setPlace] = useState<Place | null>(null)
  const [answer, setAnswer] = useState<((place: Place) => void) | null>(null)
  const isGit = useIsGit(client, workspaceId)
  const [openedAt] = useState(Date.now)
  const isShared = useObservable(client.conversations, ({ rows }) =>
    rows.some((row) => worksThere(row, { workspaceId, now: openedAt })),
  )
  const usual = preset?.settings.place ?? (isShared ? 'worktree' : 'in-place')

  function askPlace(): Promise<Place> {
    const answered = Promise.withResolvers<Place>()
    setAnswer(() => answered.resolve)
    return answered.promise
  }

  function take(place: Place): void {
    setAnswer(null)
    setPlace(place)
    answer?.(place)
  }

  return { place: isGit ? (chosen ?? usual) : 'in-place', setPlace, askPlace, asked: answer === null ? null : take }
}
