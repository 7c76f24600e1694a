import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { START_WORKSPACE } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { Picker } from '../shared/picker.tsx'

/** Where in its workspace a conversation will work. */
export type Place = 'in-place' | 'worktree'

const WORDS = {
  'in-place': { name: 'worktrees.in-place', line: 'worktrees.in-place-line' },
  worktree: { name: 'worktrees.worktree', line: 'worktrees.worktree-line' },
  ask: { name: 'worktrees.asked', line: 'worktrees.asked-line' },
} as const

interface PlacePickerProps {
  readonly client: Client
  /** Null for the workspace of the start. */
  readonly workspaceId: string | null
  /** `ask`: the person is asked when the first message is sent. */
  readonly place: Place | 'ask'
  readonly onChoose: (place: Place) => void
}

/** Whether git keeps the folder in which a conversation would work. */
export function useIsGit(client: Client, workspaceId: string | null): boolean {
  return useObservable(
    client.workspaces,
    ({ value }) => value?.workspaces.find(({ id }) => id === (workspaceId ?? START_WORKSPACE))?.isGit === true,
  )
}

/** Whether a conversation works in the folder itself or in a worktree of its own; asked where git keeps the folder. [UI65] */
export function PlacePicker({ client, workspaceId, place, onChoose }: PlacePickerProps) {
  if (!useIsGit(client, workspaceId)) return null
  return (
    <Picker
      testId="place-picker"
      state={place}
      name={say('worktrees.place')}
      words={say(WORDS[place].name)}
      isName={false}
      title={say(WORDS[place].line)}
      value={place}
      onChoose={(value) => onChoose(value === 'worktree' ? 'worktree' : 'in-place')}
    >
      {place === 'ask' && (
        <option value="ask" disabled>
          {say('worktrees.asked-line')}
        </option>
      )}
      <option value="in-place">{say('worktrees.in-place-line')}</option>
      <option value="worktree">{say('worktrees.worktree-line')}</option>
    </Picker>
  )
}
