import {
  AppendConflictError,
  BEYOND_ALL_LOGS,
  type CommandKey,
  type Entry,
  type NewEntry,
  type Overview,
} from '@holdfast/conversation'
import type { CommandBase } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { RefusedCommandError } from '../api/refused-command-error.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import type { Host } from '../live/hosts.ts'
import type { AppendResult, LiveLog } from '../log/live-log.ts'

/**
 * Carries out a command on the host of its conversation, then does what the log says now: stop, or answer what waits. The
 * engine of a process is its only maker; commands get it as an argument.
 */
export type CarryOutCommand = <Answer>(
  command: { readonly conversationId: string },
  carryOut: (host: Host) => Promise<Answer>,
) => Promise<Answer>

/** Carries out a command that brings an input, with the beginning of its answer where nothing is at work. [RUN24] */
export type BeginByCommand = <Answer>(host: Host, carryOut: (log: LiveLog) => Promise<Answer>) => Promise<Answer>

/**
 * Carries out a command once: `asked` is all that it asks for beside its id. One that was carried out before is not
 * refused for what has changed since, by itself perhaps; it is answered as then. [LOG4]
 */
export async function carryOut(
  ports: EnginePorts,
  log: LiveLog,
  { command, asked }: { readonly command: CommandBase; readonly asked: readonly unknown[] },
  decide: (state: Overview) => readonly NewEntry[],
): Promise<AppendResult> {
  const key = commandKey(ports, { command, asked })
  // What was nothing when it was opened may have been begun by another process since.
  if (log.overview().head === 0) await log.refresh()
  let isRefused = false
  let decidedAt = -1
  try {
    return await log.append({ epoch: null, command: key, dropDraft: null }, (state) => {
      isRefused = true
      // A log that another was faster in has grown. One that has not is no more.
      if (state.head === 0 || state.head === decidedAt) throw new UnknownConversationError(log.conversationId)
      decidedAt = state.head
      const entries = decide(state)
      isRefused = false
      return entries
    })
  } catch (error) {
    const before = isRefused && log.overview().head > 0 ? await appendedBefore(ports, log, key) : null
    if (before === null) throw error
    return before
  }
}

/**
 * Carries out a command that looks something up before it decides. What it is refused for there waits until it is known
 * that it was not carried out before: what it looks for may be gone since, by itself perhaps. [LOG4]
 */
export async function carryOutPrepared(
  ports: EnginePorts,
  log: LiveLog,
  named: { readonly command: CommandBase; readonly asked: readonly unknown[] },
  prepare: () => Promise<(state: Overview) => readonly NewEntry[]>,
): Promise<AppendResult> {
  const decide = await prepare().catch((error: unknown) => {
    if (!(error instanceof RefusedCommandError)) throw error
    return () => {
      throw error
    }
  })
  return carryOut(ports, log, named, decide)
}

/** What a command left when it was carried out before; null for one that was not. [LOG4] */
export async function carriedOutBefore(
  ports: EnginePorts,
  log: LiveLog,
  { command, asked }: { readonly command: CommandBase; readonly asked: readonly unknown[] },
): Promise<readonly Entry[] | null> {
  if (log.overview().head === 0) return null
  const key = commandKey(ports, { command, asked })
  return (await appendedBefore(ports, log, key))?.entries ?? null
}

/** Names a command with all that it asks for beside its id: the same one with another body is refused. [LOG4] */
export function commandKey(
  { sha256 }: Pick<EnginePorts, 'sha256'>,
  { command, asked }: { readonly command: Pick<CommandBase, 'commandId'>; readonly asked: readonly unknown[] },
): CommandKey {
  return { commandId: command.commandId, fingerprint: sha256(JSON.stringify(asked)) }
}

async function appendedBefore(
  { store, clock }: EnginePorts,
  log: LiveLog,
  command: CommandKey,
): Promise<AppendResult | null> {
  const { conversationId } = log
  try {
    const before = await store.append({ conversationId, after: BEYOND_ALL_LOGS, entries: [], at: clock.now(), command })
    await log.refresh()
    return before
  } catch (error) {
    if (error instanceof AppendConflictError) return null
    throw error
  }
}
