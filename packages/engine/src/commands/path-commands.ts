import {
  type Entry,
  type InputPart,
  isInRanges,
  type NewEntry,
  type Overview,
  pathRanges,
} from '@holdfast/conversation'
import { type RewindPath, type Rewound, RunActiveError, type SelectPath } from '../api/conversation-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { pathRefused, RefusedCommandError } from '../api/refused-command-error.ts'
import { asAsked, partsOf } from '../log/as-asked.ts'
import type { LiveLog } from '../log/live-log.ts'
import { countMessages, isExchangeEnd, pathAfter, runOfMessage } from '../log/path-log.ts'
import { carryOut } from './carry-out.ts'
import { bringBack, release, sendNow } from './queue-entries.ts'

/**
 * Sets aside what follows an exchange, with its accounting line, and admits in the same append what is asked instead:
 * it goes before all that waits. [PRJ6]
 */
export async function rewind(ports: EnginePorts, log: LiveLog, command: RewindPath): Promise<Rewound> {
  const { commandId, actor, toSeq, reason } = command
  const inputId = ports.ids.next('input')
  const asked = ['rewind', toSeq, reason, command.content === undefined ? null : asAsked(command.content)]
  const { entries } = await decideOnPath({ ports, log, command, asked }, async (state) => {
    const { setAside, content } = await lookBack({ ports, log, state }, command)
    const rewound: NewEntry = {
      type: 'path-rewound',
      actor,
      commandId,
      toSeq,
      reason,
      setAsideCount: countMessages(setAside),
      totals: state.ledger.total,
    }
    if (content === null) return [rewound]
    const admitted: NewEntry = {
      type: 'input-admitted',
      actor,
      commandId,
      inputId,
      lane: 'turn',
      origin: 'person',
      content: [...content],
    }
    const waits = state.queue.inputs.length > 0 || state.queue.held !== null
    return [
      ...bringBack(state, command),
      rewound,
      admitted,
      ...(waits ? sendNow(command, inputId) : []),
      ...release(state, command),
    ]
  })
  const rewound = entries.find((entry) => entry.type === 'path-rewound')
  const admitted = entries.find((entry) => entry.type === 'input-admitted')
  if (!rewound) throw new Error(`Command ${commandId} was carried out as something else than a rewind`)
  return { seq: rewound.seq, inputId: admitted?.inputId ?? null }
}

/** Makes a branch that was set aside the path again. [PRJ6] */
export async function selectPath(ports: EnginePorts, log: LiveLog, command: SelectPath): Promise<void> {
  const { commandId, actor, headSeq } = command
  const { conversationId } = log
  await decideOnPath({ ports, log, command, asked: ['select-path', headSeq] }, async ({ path }) => {
    const place = { conversationId, path, seq: headSeq }
    if (headSeq > path.head) throw pathRefused(headSeq, `the log ends at ${path.head}`)
    if (headSeq === 0 || !(await isExchangeEnd(ports.store, place)))
      throw pathRefused(headSeq, 'it is not the end of an exchange')
    if (!isInRanges(pathRanges(path), headSeq)) return [{ type: 'path-selected', actor, commandId, headSeq }]
    if (countMessages(await pathAfter(ports.store, place)) === 0) return []
    throw pathRefused(headSeq, 'it is on the path already; rewind to it to set aside what follows')
  })
}

interface Looking {
  readonly ports: EnginePorts
  readonly log: LiveLog
  readonly state: Overview
}

/** What a rewind sets aside and what it asks. @throws {RefusedCommandError} */
async function lookBack({ ports, log: { conversationId }, state: { path } }: Looking, command: RewindPath) {
  const { toSeq, reason } = command
  const place = { conversationId, path, seq: toSeq }
  if (toSeq > path.head) throw pathRefused(toSeq, `the log ends at ${path.head}`)
  if (toSeq !== 0) {
    if (!isInRanges(pathRanges(path), toSeq)) throw pathRefused(toSeq, 'it is set aside; select its branch instead')
    if (!(await isExchangeEnd(ports.store, place)))
      throw pathRefused(toSeq, 'it is not the end of an exchange; a rewind keeps whole exchanges, or 0 for none')
  }
  const setAside = await pathAfter(ports.store, place)
  if (command.content) return { setAside, content: partsOf(command.content) }
  if (reason === 'edit' || reason === 'rewind') return { setAside, content: null }
  const content = askedFirst(setAside)
  if (content.length === 0) throw pathRefused(toSeq, 'nothing that can be asked again follows it')
  return { setAside, content }
}

/** What people said in the first exchange of these entries: the input, and what steered its answer. */
function askedFirst(entries: readonly Entry[]): readonly InputPart[] {
  const runId = entries.map(runOfMessage).find((found) => found !== null)
  return entries.flatMap((entry) => (entry.type === 'user-message-sent' && entry.runId === runId ? entry.content : []))
}

interface OnPath {
  readonly ports: EnginePorts
  readonly log: LiveLog
  readonly command: RewindPath | SelectPath
  readonly asked: readonly unknown[]
}

/** The log has grown since it was read. */
class MovedOnError extends Error {
  override readonly name = 'MovedOnError'
}

/**
 * Carries out a command that reads the log before it decides. What it decided holds only at the head that it read: it
 * reads again when another was faster. The path stands still while a turn runs or waits for a person.
 */
async function decideOnPath({ ports, log, command, asked }: OnPath, decide: (state: Overview) => Promise<NewEntry[]>) {
  for (;;) {
    await log.refresh()
    const read = log.overview()
    const decided = await decisionOf({ state: read, command }, decide)
    try {
      return await carryOut(ports, log, { command, asked }, (state) => {
        if (state.head !== read.head) throw new MovedOnError()
        const run = state.runState.exclusive
        if (run) throw new RunActiveError(log.conversationId, run.runId)
        if (decided.type === 'refused') throw decided.error
        return decided.entries
      })
    } catch (error) {
      if (!(error instanceof MovedOnError)) throw error
    }
  }
}

/** A refusal waits until it is known that the command was not carried out before. [LOG4] */
async function decisionOf(
  { state, command }: { readonly state: Overview; readonly command: RewindPath | SelectPath },
  decide: (state: Overview) => Promise<NewEntry[]>,
): Promise<
  | { readonly type: 'entries'; readonly entries: readonly NewEntry[] }
  | { readonly type: 'refused'; readonly error: Error }
> {
  if (state.head === 0 || state.runState.exclusive) return { type: 'entries', entries: [] }
  try {
    return { type: 'entries', entries: await decide(state) }
  } catch (error) {
    if (error instanceof RefusedCommandError) return { type: 'refused', error }
    if (isRefusedContent(command, error)) return { type: 'refused', error }
    throw error
  }
}

function isRefusedContent(command: RewindPath | SelectPath, error: unknown): error is Error {
  return (
    'content' in command &&
    command.content !== undefined &&
    'asked' in command.content &&
    error === command.content.error
  )
}
