import type { OpenRun, Overview } from '@holdfast/conversation'
import type { Ending } from '../api/ending.ts'

const ACCOUNT_DISABLED = 'The account of its person was disabled.'
const TASK_ENDED = 'The call that gave this task was over.'

/**
 * How a run ends that was asked to stop. Not only its person asks: recovery does for a sub-agent whose caller is gone
 * with its server, the call that gave a task does, and whoever disables an account. [AGENT77, SCALE38]
 */
export function stopEnding({ ownerId }: Pick<Overview, 'ownerId'>, { stoppedBy }: Pick<OpenRun, 'stoppedBy'>): Ending {
  switch (stoppedBy?.type) {
    case 'engine':
      return {
        outcome: 'interrupted',
        reason: 'The server stopped that worked on the conversation which gave this task.',
      }
    case 'agent':
      return { outcome: 'stopped', reason: TASK_ENDED }
    case 'person':
      return stoppedBy.userId === ownerId ? { outcome: 'stopped' } : { outcome: 'stopped', reason: ACCOUNT_DISABLED }
    case 'schedule':
    case undefined:
      return { outcome: 'stopped' }
  }
}

/** Who stopped a run, in words for its model. [STOP7] */
export function whoStopped({ reason }: Ending): string {
  if (reason === ACCOUNT_DISABLED) return 'Whoever disabled the account of the person'
  return reason === TASK_ENDED ? 'The agent that gave this task' : 'The person'
}
