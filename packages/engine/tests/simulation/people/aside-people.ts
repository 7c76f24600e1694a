import type { Entry } from '@holdfast/conversation'
import type { CommandBase, Engine } from '../../../src/api/engine.ts'
import type { Chance } from '../parts/chance.ts'
import type { ConversationWatch } from '../rules/conversation-watch.ts'

/** What somebody asks for that is no answer: a summary, a title, or other words for one. */
export interface AsideAct {
  readonly label: string
  readonly leaves: Entry['type']
  readonly send: (engine: Engine, to: CommandBase & { readonly conversationId: string }) => Promise<unknown>
}

/** Asks for a summary or a title, rewrites or undoes a summary, or names the conversation; now and then what cannot be. */
export function asideAct(chance: Chance, { entries }: ConversationWatch, commandId: string): AsideAct {
  const made = entries.flatMap(({ type, seq }) => (type === 'checkpoint-made' ? [seq] : []))
  const checkpointSeq = made.length === 0 || chance.happens(0.1) ? chance.below(entries.length + 1) : (made.at(-1) ?? 0)
  return chance.weighted<() => AsideAct>([
    [
      () => {
        // A command that is sent again is the same one.
        const focus = chance.happens(0.5) ? 'the files' : null
        return {
          label: 'asks for a summary',
          leaves: 'run-started',
          send: (engine, to) => engine.makeCheckpoint({ ...to, focus }),
        }
      },
      40,
    ],
    [() => ({ label: 'asks for a title', leaves: 'run-started', send: (engine, to) => engine.makeTitle(to) }), 20],
    [
      () => ({
        label: `rewrites the summary at ${checkpointSeq}`,
        leaves: 'checkpoint-made',
        send: (engine, to) => engine.editCheckpoint({ ...to, checkpointSeq, summary: `Summary ${commandId}` }),
      }),
      made.length > 0 ? 15 : 1,
    ],
    [
      () => ({
        label: `undoes the summary at ${checkpointSeq}`,
        leaves: 'checkpoint-undone',
        send: (engine, to) => engine.undoCheckpoint({ ...to, checkpointSeq }),
      }),
      made.length > 0 ? 15 : 1,
    ],
    [
      () => ({
        label: 'names the conversation',
        leaves: 'title-changed',
        send: (engine, to) => engine.changeConversation({ ...to, title: `Title ${commandId}` }),
      }),
      8,
    ],
  ])()
}
