import type { NewEntry, Overview } from '@holdfast/conversation'
import type { ConversationCommand } from '../api/command-base.ts'
import type { ChangeConversation, LedTo } from '../api/conversation-engine.ts'
import { type EnginePorts, LIMITS } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import type { Hosts } from '../live/hosts.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carriedOutBefore, carryOut, carryOutPrepared } from './carry-out.ts'
import { settingsChange } from './change-settings.ts'
import { conversationIdOf, create } from './create-conversation.ts'
import { stopEntries } from './stop-run.ts'

/** What changing a conversation works with. */
export interface ChangeDeps {
  readonly ports: EnginePorts
  readonly hosts: Hosts
  readonly log: LiveLog
}

/** Gives a conversation another title, place or settings in one append. What is as asked already stays. */
export async function changeConversation(deps: ChangeDeps, command: ChangeConversation): Promise<void> {
  const { ports, log } = deps
  const { title, archived, changes } = command
  const asked = ['change-conversation', title ?? null, archived ?? null, changes ?? null]
  await carryOutPrepared(ports, log, { command, asked }, async () => {
    const changeSettings = changes === undefined ? null : await settingsChange(ports, log, { ...command, changes })
    const nextConversationId = archived === false ? undoneBy(deps) : null
    if (nextConversationId !== null) await putAway(deps, { ...command, conversationId: nextConversationId })
    return (state) => [
      ...(title === undefined ? [] : titleEntries(state, { ...command, title })),
      ...(archived === undefined ? [] : archiveEntries(state, { ...command, archived })),
      ...(changeSettings === null ? [] : changeSettings(state)),
    ]
  })
}

/**
 * Stops what runs, archives the conversation with its accounting line, and begins another with the same settings. The
 * other one comes first: nobody follows to what is not there. [LOG12]
 */
export async function reset({ ports, hosts, log }: ChangeDeps, command: ConversationCommand): Promise<LedTo> {
  const { commandId, actor } = command
  await log.refresh()
  const state = log.overview()
  const { ownerId } = state
  if (ownerId === null) throw new UnknownConversationError(log.conversationId)
  if (state.archived?.nextConversationId) {
    const before = await carriedOutBefore(ports, log, { command, asked: ['reset'] })
    const ledTo = before?.find((entry) => entry.type === 'conversation-archived')?.nextConversationId
    return { conversationId: ledTo ?? state.archived.nextConversationId }
  }
  const nextConversationId = conversationIdOf(ports, {
    ownerId,
    commandId: `reset ${log.conversationId} ${commandId}`,
  })
  await hosts.use(nextConversationId, ({ log: next }) =>
    create(ports, next, {
      commandId,
      actor,
      ownerId,
      title: null,
      modelId: null,
      settings: state.settingLayers.own,
      ...(state.settingLayers.agent === null ? {} : { agent: state.settingLayers.agent }),
      origin: { type: 'reset', conversationId: log.conversationId },
    }),
  )
  await carryOut(ports, log, { command, asked: ['reset'] }, (now) => [
    ...stopEntries(now, command, 'stop'),
    {
      type: 'conversation-archived',
      actor,
      commandId,
      reason: 'reset',
      totals: now.ledger.total,
      nextConversationId,
    },
  ])
  return { conversationId: nextConversationId }
}

function titleEntries(
  { title: { text, source } }: Overview,
  { actor, commandId, title }: ChangeConversation & { readonly title: string },
): NewEntry[] {
  if (text === title && source === 'user') return []
  return [{ type: 'title-changed', actor, commandId, title, source: 'user' }]
}

function archiveEntries(
  state: Overview,
  { actor, commandId, archived }: ChangeConversation & { readonly archived: boolean },
): NewEntry[] {
  if (archived === (state.archived !== null)) return []
  if (!archived) return [{ type: 'conversation-restored', actor, commandId }]
  return [{ type: 'conversation-archived', actor, commandId, reason: 'person', totals: state.ledger.total }]
}

/** The conversation that a reset began, while the reset can be undone; else null. [LOG12] */
function undoneBy({ ports, log }: ChangeDeps): string | null {
  const { archived } = log.overview()
  if (archived === null || ports.clock.now() - archived.at > LIMITS.undoResetMs) return null
  return archived.nextConversationId
}

/** Archives what a reset that is undone had begun, unless something was asked in it. */
async function putAway({ ports, hosts }: ChangeDeps, command: ConversationCommand): Promise<void> {
  const { actor, commandId } = command
  await hosts.use(command.conversationId, async ({ log }) => {
    await log.refresh()
    if (log.overview().head === 0) return
    await carryOut(ports, log, { command, asked: ['undo-reset'] }, (state) => {
      const isUsed =
        state.queue.inputs.length > 0 || state.runState.exclusive !== null || state.runState.lastTurn !== null
      return isUsed
        ? []
        : archiveEntries(state, { actor, commandId, conversationId: log.conversationId, archived: true })
    })
  })
}
