/** A step of a conversation here, as the ids of items name it. */
export interface NamedStep {
  readonly conversationId: string
  readonly stepId: string
}

/** Where an answer begins in the log of its conversation: an input was admitted there, or a client's calls were answered. */
export interface ResponsePlace {
  readonly conversationId: string
  readonly seq: number
}

/** Ids say where they come from, so that nothing is kept beside the log: whose it is is looked up when one comes back. [SYNC18] */
export const ITEM_PREFIXES = ['msg', 'rs', 'fc', 'ctc', 'mcp', 'call'] as const

/** An id for an answer that can be asked for later. */
export function responseIdOf({ conversationId, seq }: ResponsePlace): string {
  return `resp_${packed([conversationId, String(seq)])}`
}

/** The place that an id names; null for one that is not from here, or of an answer that is not to be kept. */
export function placeOf(responseId: string): ResponsePlace | null {
  const [conversationId, seq] = unpacked(responseId, ['resp'])
  if (conversationId === undefined || seq === undefined || !/^\d{1,15}$/.test(seq)) return null
  return { conversationId, seq: Number(seq) }
}

/** The id of an item: its step, and which of its parts it is. */
export function itemIdOf(prefix: (typeof ITEM_PREFIXES)[number], { conversationId, stepId }: NamedStep, part: string) {
  return `${prefix}_${packed([conversationId, stepId, part])}`
}

/** The step and the part that the id of an item names; null for one that is not from here. */
export function namedIn(id: string): (NamedStep & { readonly part: string }) | null {
  const [conversationId, stepId, part] = unpacked(id, ITEM_PREFIXES)
  if (conversationId === undefined || stepId === undefined || part === undefined) return null
  return { conversationId, stepId, part }
}

/** Ids have no line breaks. */
const BETWEEN = '\n'

function packed(words: readonly string[]): string {
  return Buffer.from(words.join(BETWEEN)).toString('base64url')
}

function unpacked(id: string, prefixes: readonly string[]): readonly string[] {
  const prefix = prefixes.find((one) => id.startsWith(`${one}_`))
  if (prefix === undefined) return []
  return Buffer.from(id.slice(prefix.length + 1), 'base64url')
    .toString()
    .split(BETWEEN)
}
