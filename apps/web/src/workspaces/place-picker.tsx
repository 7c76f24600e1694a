import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { START_WORKSPACE } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { Picker } from '../shared/picker.tsx'

/** Where in its workspace a conversation will work. */
export type Place = 'in-place' | 'worktree'

interface PlacePickerProps {
  readonly client: Client
  /** Null for the workspace of the start. */
  readonly workspaceId: string | null
  readonly place: Place
  readonly onChoose: (place: Place) => void
}

/** Whether a conversation works in the folder itself or in a worktree of its own; asked where git keeps the folder. [UI65] */
export function PlacePicker({ client, workspaceId, place, onChoose }: PlacePickerProps) {
  const row = useObservable(client.workspaces, ({ value }) =>
    value?.workspaces.find(({ id }) => id === (workspaceId ?? START_WORKSPACE)),
  )
  if (row?.isGit !== true) return null
  return (
    <Picker
      testId="place-picker"
      state={place}
      name={say('worktrees.place')}
      words={say(place === 'worktree' ? 'worktrees.worktree' : 'worktrees.in-place')}
      isName={false}
      title={say(place === 'worktree' ? 'worktrees.worktree-line' : 'worktrees.in-place-line')}
      value={place}
      onChoose={(value) => onChoose(value === 'worktree' ? 'worktree' : 'in-place')}
    >
      <option value="in-place">{say('worktrees.in-place-line')}</option>
      <option value="worktree">{say('worktrees.worktree-line')}</option>
    </Picker>
  )
}
