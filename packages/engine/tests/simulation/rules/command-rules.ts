import type { Entry } from '@holdfast/conversation'
import type { Violate } from './violation.ts'

/** What came of one command in one log. */
interface Effect {
  readonly seqs: number[]
  readonly once: Set<string>
}

/** Kinds of entries that one command leaves at most once. */
const ONCE: ReadonlySet<string> = new Set([
  'input-admitted',
  'input-removed',
  'stop-requested',
  'queue-held',
  'queue-released',
  'settings-changed',
  'permission-rule-changed',
  'conversation-created',
  'path-rewound',
  'path-selected',
  'canvas-changed',
])

/** The commands of one log. */
export interface CommandRules {
  take(entry: Entry): void
}

/** Checks that a command has one effect, in one append, however often it was sent. */
export function createCommandRules(violate: Violate): CommandRules {
  const effects = new Map<string, Effect>()
  return {
    take({ commandId, seq, type, actor }) {
      if (commandId === undefined) return
      const effect = effects.get(commandId) ?? { seqs: [], once: new Set() }
      effects.set(commandId, effect)
      const last = effect.seqs.at(-1)
      // What a schedule begins has a title, which names no command, between its beginning and its message.
      const isTitled = actor.type === 'schedule' && type === 'input-admitted' && last === seq - 2
      if (last !== undefined && last !== seq - 1 && !isTitled)
        violate('LOG4', `Command ${commandId} had an effect at ${last}, and again at ${seq}`)
      if (ONCE.has(type) && effect.once.has(type))
        violate('LOG4', `Command ${commandId} left ${type} twice, again at ${seq}`)
      effect.once.add(type)
      effect.seqs.push(seq)
    },
  }
}
