import { type Entry, type EntryLog, type EntryOf, entriesBefore, type InputPart } from '@holdfast/conversation'
import type { Occurrence, StoredSchedule } from './schedule-record.ts'
import type { StoredSchedules } from './stored-schedules.ts'
import type { Triggers } from './triggers.ts'

/** Sets off runs when another run ends. [SCHED21, SCHED22] */
export interface AfterRuns {
  /** Told of the end of a run of a schedule; told twice it sets off one run. */
  scheduleEnded(scheduleId: string, line: Occurrence): Promise<void>
  /** Looks whether a run has ended in this conversation since somebody began to wait for it. */
  lookAt(conversationId: string): Promise<void>
  /** Whether somebody waits for a run of this conversation. */
  isAwaited(conversationId: string): boolean
  /** The conversations that somebody waits for. */
  awaited(): ReadonlySet<string>
}

/** What it works with. */
export interface AfterRunDeps {
  readonly stored: StoredSchedules
  readonly triggers: Triggers
  readonly log: Pick<EntryLog, 'read'>
  readonly sha256: (text: string) => string
  /** The words of a conversation, as one who points at it sends them; null where it is not there. */
  readonly wordsOf: (of: { readonly userId: string; readonly conversationId: string }) => Promise<InputPart | null>
}

const PAGE = 500
const SOURCE_CHARS = 16

/** Makes them. */
export function createAfterRuns({ stored, triggers, log, sha256, wordsOf }: AfterRunDeps): AfterRuns {
  async function saidOf(words: string, value: StoredSchedule, conversationId: string): Promise<InputPart[]> {
    const heard = await wordsOf({ userId: value.ownerId, conversationId })
    return [{ type: 'text', text: words }, ...(heard === null ? [] : [heard])]
  }

  async function lookFor(scheduleId: string, value: StoredSchedule, conversationId: string): Promise<void> {
    const end = await firstEndAfter(log, { conversationId, after: value.afterSeq ?? 0 })
    if (end === null) return
    const said = await saidOf(`A run that you were to wait for has ended: ${end.outcome}.`, value, conversationId)
    const source = sha256(`${conversationId} ${end.runId}`).slice(0, SOURCE_CHARS)
    const trigger = { at: end.at, cause: 'run' as const, source, chain: 0, said }
    // It waited for one run.
    await triggers.fire(scheduleId, trigger, (now) => (waitsFor(now, conversationId) ? { ...now, isOn: false } : null))
  }

  return {
    async scheduleEnded(endedId, line) {
      const ended = stored.get(endedId)?.value
      const followers = stored
        .all()
        .filter(({ value: { rule, isOn } }) => isOn && rule.type === 'after-schedule' && rule.scheduleId === endedId)
      for (const { id, value } of followers) {
        if (value.createdAt > line.plannedAt && value.createdAt > (line.endedAt ?? 0)) continue
        const words = `The schedule "${ended?.name ?? endedId}" has run: ${line.state}.`
        const said = line.conversationId === null ? [] : await saidOf(words, value, line.conversationId)
        const source = sha256(`${endedId} ${line.plannedAt} ${line.source ?? ''}`).slice(0, SOURCE_CHARS)
        const at = line.endedAt ?? line.plannedAt
        const trigger = { at, cause: 'run' as const, source, chain: (line.chain ?? 0) + 1, said }
        await triggers.fire(id, trigger, (now) =>
          now.rule.type === 'after-schedule' && now.rule.scheduleId === endedId ? now : null,
        )
      }
    },
    async lookAt(conversationId) {
      for (const { id, value } of stored.all())
        if (value.isOn && waitsFor(value, conversationId)) await lookFor(id, value, conversationId)
    },
    isAwaited: (conversationId) => stored.all().some(({ value }) => value.isOn && waitsFor(value, conversationId)),
    awaited: () =>
      new Set(
        stored
          .all()
          .flatMap(({ value: { rule, isOn } }) =>
            isOn && rule.type === 'after-conversation' ? [rule.conversationId] : [],
          ),
      ),
  }
}

function waitsFor({ rule }: StoredSchedule, conversationId: string): boolean {
  return rule.type === 'after-conversation' && rule.conversationId === conversationId
}

/** The first turn that ended behind a place of a log; null for none. */
async function firstEndAfter(
  log: Pick<EntryLog, 'read'>,
  { conversationId, after }: { readonly conversationId: string; readonly after: number },
): Promise<EntryOf<'run-finished'> | null> {
  const titles = new Set<string>()
  for (let from = after; ; ) {
    const { entries, head } = await log.read({ conversationId, after: from, limit: PAGE })
    for (const entry of entries) {
      if (entry.type === 'run-started' && entry.purpose !== 'turn') titles.add(entry.runId)
      if (entry.type !== 'run-finished' || titles.has(entry.runId)) continue
      if (await isTurn(log, entry)) return entry
    }
    from = entries.at(-1)?.seq ?? head
    if (entries.length === 0 || from >= head) return null
  }
}

async function isTurn(log: Pick<EntryLog, 'read'>, { conversationId, seq, runId }: Entry & { runId: string }) {
  for await (const { entries } of entriesBefore(log, { conversationId, before: seq, pageEntries: PAGE }))
    for (const entry of entries)
      if (entry.type === 'run-started' && entry.runId === runId) return entry.purpose === 'turn'
  return false
}
