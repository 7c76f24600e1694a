import type { SentPart } from '@holdfast/protocol'
import { type ApiDeps, RefusedError } from '@holdfast/server'
import type { AskedPart, AskedResponse } from './asked-response.ts'

/** As much as a message holds: characters of one text, and parts. */
const MOST_CHARS = 1_000_000
const MOST_PARTS = 100

type Attachments = ApiDeps['attachments']

/** What is asked, as a message is sent: pictures are kept first. @throws {RefusedError} where it is too much. */
export async function contentOf(
  attachments: Attachments,
  { userId, asked, isNew }: { readonly userId: string; readonly asked: AskedResponse; readonly isNew: boolean },
): Promise<SentPart[]> {
  const parts: SentPart[] = []
  for (const part of asked.content) parts.push(...(await toSent(attachments, userId, part)))
  const sent = parts.length > 0 && isNew ? [...quoteOf(asked), ...parts] : parts
  if (sent.length > MOST_PARTS) throw refused(`A message has at most ${MOST_PARTS} parts`)
  return sent
}

async function toSent(attachments: Attachments, userId: string, part: AskedPart): Promise<SentPart[]> {
  switch (part.type) {
    case 'text':
      if (part.text.length > MOST_CHARS) throw refused(`A text has at most ${MOST_CHARS} characters`)
      return part.text === '' ? [] : [part]
    case 'attachment':
      return [{ type: 'image', attachmentId: part.attachmentId }]
    case 'picture': {
      const { bytes, mediaType } = part
      const file = { name: 'picture', mediaType, content: one(bytes), isTruncated: () => false }
      return [{ type: 'image', attachmentId: (await attachments.keep(userId, file)).id }]
    }
  }
}

/** What a new conversation is told of a history that is not of one here: as words of the client. */
function quoteOf({ history }: AskedResponse): SentPart[] {
  if (history.length === 0) return []
  const said = history.map(({ role, text }) => `${role}: ${text}`).join('\n\n')
  const words = `What the client says was said before:\n\n${said}`
  if (words.length > MOST_CHARS)
    throw refused(`A history that is not of a conversation here has at most ${MOST_CHARS} characters`)
  return [{ type: 'quote', text: words }]
}

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

function refused(words: string): RefusedError {
  return new RefusedError(422, 'bad-request', words)
}
