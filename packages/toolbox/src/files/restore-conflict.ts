import type { NotKept } from '@holdfast/conversation'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { isSameStood, type NetChange, type Stood } from './change-set.ts'

/** Whether what changed while a call ran, and no tool told, is brought back as well. [TOOL15] */
export type Meanwhile = 'leave' | 'restore'

/**
 * @param meanwhile - what becomes of what changed while a call ran and no tool told: whose doing it was cannot be said.
 * @throws {FileRefusal} when bringing back what stood there would overwrite what something else did, or cannot be done.
 */
export function refuseConflict(change: NetChange, now: Stood | null, meanwhile: Meanwhile): void {
  const { path, before, after, isInterrupted, lost, seen } = change
  const refuse = (message: string) => new FileRefusal({ code: 'conflict', path, message })
  if (lost !== null) throw refuse(whyLost(path, lost))
  if (isSameStood(now, before)) return
  if (!isSameStood(now, after)) throw refuse(`${path} is not what these changes left; something else changed it since.`)
  if (isInterrupted)
    throw refuse(`${path} was also changed by something else between these changes, which restoring would undo.`)
  if (seen !== undefined && meanwhile === 'leave') throw refuse(whyLeft(path, seen))
}

function whyLeft(path: string, seen: 'alone' | 'with-others'): string {
  const others = seen === 'with-others' ? ', and others may have been at work in the folder too' : ''
  return `${path} changed while a call ran${others}: whose change it is cannot be told. It comes back only if you ask for that too.`
}

function whyLost(path: string, lost: NotKept | 'not-here'): string {
  switch (lost) {
    case 'not-here':
      return `What stood in ${path} is not kept here, so it cannot be brought back.`
    case 'too-large':
      return `${path} is too large to be kept, so it cannot be brought back.`
    case 'too-many':
      return path === '.'
        ? 'More has changed in the folder than is listed here: the rest was not kept and stays as it is.'
        : `${path} was not kept, for there was too much to keep, so it cannot be brought back.`
    case 'left-out':
      return `${path} is a folder into which nobody looks, such as one of packages: it stays as it is.`
    case 'hard-linked':
      return `${path} has several names, and another may be outside: it was not kept and stays as it is.`
    case 'unreadable':
      return `${path} could not be read, so it cannot be brought back.`
    case 'not-seen':
      return 'The folder could not be looked at before or after a call: what that changed is not known and stays as it is.'
  }
}
