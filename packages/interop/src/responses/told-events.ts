import type { Json } from '@holdfast/conversation'
import type { ResponseItem } from './response-items.ts'

/** An event of an answer. Its number is that of its last character, so that a piece of text may be told in other pieces. [SYNC18] */
export type ResponseEvent = { readonly type: string; readonly sequence_number: number } & Readonly<Record<string, Json>>

/** Where in an answer an item stands. */
export interface ItemPlace {
  readonly item_id: string
  readonly output_index: number
}

/** Numbers the events of an answer, and leaves out what its client has. */
export interface ToldEvents {
  tell(type: string, fields: Readonly<Record<string, Json>>): void
  /**
   * The event that ends the answer: also told to a client that has more than there is. After a crash it may: of
   * what was published, the last moment may not have been durable.
   */
  tellLast(type: string, fields: Readonly<Record<string, Json>>): void
  /** A piece of text; of one that the client has in part, the rest. */
  tellPiece(type: string, text: string, fields: Readonly<Record<string, Json>>): void
  /** @returns where the item stands, which is whole later. */
  open(begun: ResponseItem): ItemPlace
  close(place: ItemPlace, whole: ResponseItem): void
  output(): readonly ResponseItem[]
  isBegun(): boolean
  /** What was told since the last time. */
  drain(): readonly ResponseEvent[]
}

/** Begins to tell an answer to a client that has all up to and with a number; null for none of it. */
export function createToldEvents(startingAfter: number | null): ToldEvents {
  let out: ResponseEvent[] = []
  let number = 0
  const output: ResponseItem[] = []

  function tell(type: string, fields: Readonly<Record<string, Json>>): void {
    if (startingAfter === null || number > startingAfter) out.push({ type, sequence_number: number, ...fields })
    number += 1
  }

  return {
    tell,
    tellLast(type, fields) {
      if (startingAfter !== null && number < startingAfter) number = startingAfter + 1
      tell(type, fields)
    },
    tellPiece(type, text, fields) {
      if (text === '') return
      const known = startingAfter === null ? 0 : Math.max(0, startingAfter + 1 - number)
      number += text.length
      if (known < text.length) out.push({ type, sequence_number: number - 1, ...fields, delta: text.slice(known) })
    },
    open(begun) {
      const place = { item_id: begun.id, output_index: output.length }
      tell('response.output_item.added', { output_index: place.output_index, item: begun })
      return place
    },
    close({ output_index }, whole) {
      tell('response.output_item.done', { output_index, item: whole })
      output.push(whole)
    },
    output: () => [...output],
    isBegun: () => number > 0,
    drain() {
      const told = out
      out = []
      return told
    },
  }
}
