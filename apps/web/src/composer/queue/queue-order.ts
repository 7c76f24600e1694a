import type { OutboxItem } from '@holdfast/client'
import type { InputPart, WaitingInput } from '@holdfast/conversation'
import { MentionKind, SentPart } from '@holdfast/protocol'

/** How long a lock holds that its client does not renew, in milliseconds. [STOP9] */
const LOCK_MS = 120_000

/** What waits, as a row knows it: with what this tab asked of it and the server has not taken yet. */
export type ShownInput = Pick<WaitingInput, 'inputId' | 'afterStop' | 'lockedAt'> & {
  readonly content: readonly (InputPart | SentPart)[]
}

/** What waits, in its order, with the changes that this tab has asked for. */
export function shownInputs(
  inputs: readonly WaitingInput[],
  outbox: readonly OutboxItem[],
  now: number,
): readonly ShownInput[] {
  return outbox.reduce<readonly ShownInput[]>((shown, { command }) => {
    if (command.name !== 'change-input') return shown
    const known = shown.find(({ inputId }) => inputId === command.inputId)
    if (!known) return shown
    const { content = known.content, locked, position } = command
    const lockedAt = locked === undefined ? known.lockedAt : locked ? now : null
    const changed = { ...known, content, lockedAt }
    if (position === undefined) return shown.map((one) => (one === known ? changed : one))
    const others = shown.filter((one) => one !== known)
    return [...others.slice(0, position), changed, ...others.slice(position)]
  }, inputs)
}

/** Whether somebody edits it, so that it is not sent. [STOP9] */
export function isBeingEdited(lockedAt: number | null, now: number): boolean {
  return lockedAt !== null && now < lockedAt + LOCK_MS
}

/**
 * Where an input goes by one step, or null where it cannot: what was sent after a stop stays before the others.
 * [STOP11]
 */
export function placeAfterMove(
  inputs: readonly { readonly inputId: string; readonly afterStop: boolean }[],
  inputId: string,
  step: -1 | 1,
): number | null {
  const index = inputs.findIndex((input) => input.inputId === inputId)
  const neighbour = inputs[index + step]
  return neighbour && inputs[index]?.afterStop === neighbour.afterStop ? index + step : null
}

/** The words that a person wrote, without what goes along with them. */
export function writtenWords(content: readonly (InputPart | SentPart)[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

/**
 * What is sent instead when the words are others: what goes along stays where it is, and what stands elsewhere is read
 * anew. Null where a part cannot be sent again (an answer on the canvas), or nothing is left.
 */
export function withWords(content: readonly (InputPart | SentPart)[], words: string): readonly SentPart[] | null {
  const text: readonly SentPart[] = words.trim() === '' ? [] : [{ type: 'text', text: words }]
  const place = content.findIndex(({ type }) => type === 'text')
  const parts: SentPart[] = place < 0 ? [...text] : []
  for (const [index, part] of content.entries()) {
    switch (part.type) {
      case 'text':
        if (index === place) parts.push(...text)
        break
      case 'quote':
        parts.push(part)
        break
      case 'file':
      case 'image':
        parts.push({ type: part.type, attachmentId: part.attachmentId })
        break
      case 'mention': {
        const kind = MentionKind.safeParse(part.kind)
        if (!kind.success) return null
        const { type, id, lines } = part
        parts.push({ type, kind: kind.data, id, ...(lines === undefined ? {} : { lines }) })
        break
      }
      case 'canvas':
        // An answer is given on the canvas, once.
        if ('answer' in part) return null
        parts.push({ type: part.type, elementId: part.elementId })
        break
      case 'error':
      case 'link':
        parts.push(part)
        break
      case 'element': {
        const sent = SentPart.safeParse(withoutBlob(part))
        if (!sent.success) return null
        parts.push(sent.data)
        break
      }
      case 'resource': {
        const { type, server, uri, name } = part
        parts.push({ type, server, uri, name })
        break
      }
    }
  }
  return parts.length === 0 ? null : parts
}

/** An upload is named by its id alone. */
function withoutBlob<Part extends object>(part: Part): object {
  return Object.fromEntries(Object.entries(part).filter(([name]) => name !== 'blob'))
}
