import { runningOf } from '../../tests/states/process-groups.ts'

/** Whether nobody of a process group runs. The list of all processes is read only where somebody is left. */
export function isGroupGone(groupId: number): boolean {
  try {
    process.kill(-groupId, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return true
    throw error
  }
  return runningOf([groupId]).length === 0
}
