import { CommandFrame } from '@holdfast/protocol'
import * as z from 'zod'
import { parsedJson, wordsIn } from '../values/words-in.ts'
import type { ConversationCommandFrame } from './conversation-state.ts'

/** Where the outbox is kept, so that a page that is loaded again still sends what was typed. [SYNC2] */
export interface OutboxKeeper {
  /** What was saved last, or null. */
  load(): string | null
  save(text: string): void
}

/** A kept command that this version cannot read, with the words that a person wrote in it. [UI23] */
export interface UnreadCommand {
  readonly id: string
  /** Where it was written; null where it does not say. */
  readonly conversationId: string | null
  /** Empty where nobody wrote anything in it. */
  readonly words: string
  /** As it was kept. */
  readonly kept: unknown
}

/** The outbox of the tab's earlier life. */
export interface KeptOutbox {
  readonly commands: readonly ConversationCommandFrame[]
  readonly unread: readonly UnreadCommand[]
}

const Place = z.looseObject({ conversationId: z.string() })

/** Reads what was kept, each command by itself: one of another version takes no other with it. */
export function loadOutbox(keeper: OutboxKeeper, newId: () => string): KeptOutbox {
  const text = keeper.load()
  const json = text === null ? [] : parsedJson(text)
  // A list that was cut cannot be taken apart: it is kept, and offered, as one.
  const kept: readonly unknown[] = Array.isArray(json) ? json : [json === undefined ? text : json]
  const commands: ConversationCommandFrame[] = []
  const unread: UnreadCommand[] = []
  for (const one of kept) {
    const command = CommandFrame.safeParse(one)
    if (!command.success) unread.push(unreadCommand(one, newId()))
    // Whoever waited for the conversation that it makes is gone with the page.
    else if (command.data.name !== 'create-conversation') commands.push(command.data)
  }
  return { commands, unread }
}

/** Keeps the commands that the server has not taken yet, and those that could not be read, as they are. */
export function saveOutbox(keeper: OutboxKeeper, { commands, unread }: KeptOutbox): void {
  keeper.save(JSON.stringify([...commands, ...unread.map(({ kept }) => kept)]))
}

function unreadCommand(kept: unknown, id: string): UnreadCommand {
  const place = Place.safeParse(kept)
  return { id, conversationId: place.success ? place.data.conversationId : null, words: wordsIn(kept), kept }
}
