import { planUnreadLeftOut, planWindow, type WindowMove } from '@holdfast/context'
import type { NewEntry } from '@holdfast/conversation'
import type { RunAtWork } from '../../live/run-at-work.ts'
import { ENGINE } from '../../log/engine-actor.ts'
import {
  type ComposeFrom,
  type Gathered,
  gather,
  type ModelToAsk,
  READ_ON,
  READ_WINDOWS,
  withEntries,
} from '../gather.ts'
import { compose, type TurnRequest } from '../turn-request.ts'
import { roomSource } from './room-source.ts'

/**
 * The request as it would be before room is made for it: whole, or more than the window holds. [WIN13]
 *
 * @param added - what stands at its end and not in the log, by what was read; composed as written now, in Unix milliseconds.
 */
export async function composeForRoom(
  from: ComposeFrom,
  toAsk: ModelToAsk,
  added: { readonly now: number; of(gathered: Gathered): Promise<readonly NewEntry[]> | readonly NewEntry[] },
): Promise<TurnRequest> {
  for (let windows = READ_WINDOWS; ; windows *= READ_ON) {
    const gathered = await gather(from, toAsk, windows)
    const at = compose(withEntries(gathered, await added.of(gathered), added.now))
    if (at.isWhole || planWindow(roomSource(at)).type !== 'fits') return at
  }
}

/**
 * Makes what was read all that a request holds: more than a window of it stands further back, unread, and is left out
 * with a word. False where no exchange begins in what was read. [WIN7, WIN13]
 */
export async function leaveOutUnread(atWork: RunAtWork, at: TurnRequest): Promise<boolean> {
  const moved = planUnreadLeftOut(roomSource(at))
  if (moved === null || moved.startSeq <= at.windowStartSeq) return false
  await writeMove(atWork, at, moved)
  return true
}

/** Writes down that the request starts later, with all that this leaves out. [WIN4, WIN7] */
export async function writeMove({ log, epoch }: RunAtWork, at: TurnRequest, moved: WindowMove): Promise<void> {
  const before = at.composed.head.window?.leftOutCount ?? 0
  const leftOutCount = before + (await at.path.countMessages(at.windowStartSeq, moved.startSeq))
  await log.append({ epoch, command: null, dropDraft: null }, () => [
    { type: 'window-moved', actor: ENGINE, ...moved, leftOutCount },
  ])
}
