import { type JsonRecord, listOf, recordOf, textOf } from '../json.ts'

/** One block of a Converse message. */
export interface ConverseBlock {
  /** As `messages.2.content.0`. */
  readonly path: string
  readonly value: JsonRecord
}

/** One message of a Converse request. */
export interface ConverseMessage {
  /** As `messages.2`. */
  readonly path: string
  readonly role: string
  readonly blocks: readonly ConverseBlock[]
}

/** The messages of a Converse request. */
export function messagesOf(body: JsonRecord): readonly ConverseMessage[] {
  return listOf(body.messages).map((item, index) => {
    const { role, content } = recordOf(item)
    const path = `messages.${index}`
    const blocks = listOf(content).map((block, at) => ({ path: `${path}.content.${at}`, value: recordOf(block) }))
    return { path, role: textOf(role), blocks }
  })
}
