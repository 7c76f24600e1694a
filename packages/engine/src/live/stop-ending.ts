import type { OpenRun, Overview } from '@holdfast/conversation'
import type { Ending } from '../api/ending.ts'

/**
 * How a run ends that was asked to stop. Not only its person asks: recovery does for a sub-agent whose caller is gone
 * with its server, the call that gave a task does, and whoever disables an account. [AGENT77, SCALE38]
 */
export function stopEnding(state: Pick<Overview, 'ownerId'>, run: Pick<OpenRun, 'stoppedBy'>): Ending {
  switch (stopperOf(state, run)) {
    case 'recovery':
      return {
        outcome: 'interrupted',
        reason: 'The server stopped that worked on the conversation which gave this task.',
      }
    case 'caller':
      return { outcome: 'stopped', reason: 'The call that gave this task was over.' }
    case 'admin':
      return { outcome: 'stopped', reason: 'The account of its person was disabled.' }
    case 'person':
      return { outcome: 'stopped' }
  }
}

/** Who stopped a run, in words for its model. [STOP7] */
export function whoStopped(state: Pick<Overview, 'ownerId'>, run: Pick<OpenRun, 'stoppedBy'>): string {
  switch (stopperOf(state, run)) {
    case 'admin':
      return 'Whoever disabled the account of the person'
    case 'caller':
      return 'The agent that gave this task'
    case 'recovery':
    case 'person':
      return 'The person'
  }
}

function stopperOf(
  { ownerId }: Pick<Overview, 'ownerId'>,
  { stoppedBy }: Pick<OpenRun, 'stoppedBy'>,
): 'person' | 'admin' | 'caller' | 'recovery' {
  switch (stoppedBy?.type) {
    case 'engine':
      return 'recovery'
    case 'agent':
      return 'caller'
    case 'person':
      return stoppedBy.userId === ownerId ? 'person' : 'admin'
    case 'schedule':
    case undefined:
      return 'person'
  }
}
