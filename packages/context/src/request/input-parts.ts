import type { InputPart } from '@holdfast/conversation'
import { bounded, clipped, escaped, excerpt, sharedLimits } from './text.ts'

/** The most of each kind of data that a person points at, in characters. [REQ7] */
const LIMITS_CHARS = { quote: 8_000, html: 20_000, answer: 20_000, pointed: 20_000, name: 2_000 } as const

/** Where an input stands, and how much of one text is sent. */
export interface InputPlace {
  readonly seq: number
  readonly itemLimitChars: number
}

/**
 * What an input is sent as. The person's words stay as they are; what a person points at is data: marked,
 * bounded, and unable to close its own mark. An input that says nothing says so: no message is empty. [REQ2, REQ7]
 */
export function inputParts(content: readonly InputPart[], place: InputPlace): InputPart[] {
  const texts = content.map((part) => (part.type === 'text' || part.type === 'resource' ? part.text : ''))
  const limits = sharedLimits(texts, place.itemLimitChars)
  const parts = content.flatMap((part, index) => sentPart(part, { seq: place.seq, itemLimitChars: limits[index] ?? 0 }))
  return parts.length === 0 ? [{ type: 'text', text: '(empty message)' }] : parts
}

function sentPart(part: InputPart, { seq, itemLimitChars }: InputPlace): InputPart[] {
  switch (part.type) {
    case 'text': {
      const text = excerpt(part.text, { limitChars: itemLimitChars, reference: `{"seq":${seq}}` })
      return text.trim() === '' ? [] : [{ type: 'text', text }]
    }
    case 'image':
      return [sentImage(part)]
    case 'file': {
      const { attachmentId, blob, name } = part
      return [{ type: 'file', attachmentId, blob: sentBlob(blob), name: sentName(name) }]
    }
    case 'quote':
      return [data(quoted(part))]
    case 'element':
      return pageElement(part)
    case 'error':
      return [data(marked('page-error', { url: part.url }, bounded(part.text, LIMITS_CHARS.html)))]
    case 'link':
      return [data(marked('link', { url: part.url, title: part.title }, null))]
    case 'canvas':
      return [canvasElement(part)]
    case 'resource': {
      const about = `server="${attribute(part.server)}" uri="${attribute(part.uri)}"`
      const text = excerpt(part.text, { limitChars: itemLimitChars, reference: `{"seq":${seq}}` })
      return [data(`<resource ${about}${part.cut ? ' cut="yes"' : ''}>\n${escaped(text)}\n</resource>`)]
    }
    case 'mention': {
      const { kind, id, lines, name, text } = part
      const range = lines && `${lines.from}-${lines.to}`
      return [data(marked('mention', { kind, id, lines: range, name }, pointed(text)))]
    }
  }
}

function quoted({ seq, path, lines, text }: Extract<InputPart, { type: 'quote' }>): string {
  const about = [
    ...(seq === undefined ? [] : [`entry="${seq}"`]),
    ...(path === undefined ? [] : [`path="${attribute(path)}"`]),
    ...(lines === undefined ? [] : [`lines="${lines.from}-${lines.to}"`]),
  ]
  return `<${['quote', ...about].join(' ')}>\n${escaped(bounded(text, LIMITS_CHARS.quote))}\n</quote>`
}

/** An element of a page, with its picture behind it where there is one. */
function pageElement(part: Extract<InputPart, { type: 'element' }>): InputPart[] {
  const { url, selector, role, source, html, text, attachmentId, blob } = part
  const at = source && `${source.file}:${source.line}:${source.column} (${source.certainty})`
  const about = { url, selector, role, text: text && bounded(text, LIMITS_CHARS.name), source: at }
  const element = data(marked('element', about, bounded(html, LIMITS_CHARS.html)))
  if (attachmentId === undefined || blob === undefined) return [element]
  return [element, { type: 'image', attachmentId, blob: sentBlob(blob) }]
}

/** An element of the canvas, and what a person answered to it: data, for the question may hold anybody's words. */
function canvasElement({ elementId, answer, name, text }: Extract<InputPart, { type: 'canvas' }>): InputPart {
  if (answer === undefined) return data(marked('canvas-element', { id: elementId, name }, pointed(text)))
  const words = bounded(JSON.stringify(answer), LIMITS_CHARS.answer)
  return data(marked('canvas-element', { id: elementId, 'answered-by': 'person' }, words))
}

function pointed(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : bounded(text, LIMITS_CHARS.pointed)
}

/** A mark with what stands in it; nothing in it can close it. */
function marked(mark: string, about: Readonly<Record<string, string | undefined>>, words: string | null): string {
  const attributes = Object.entries(about).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${attribute(value)}"`],
  )
  const head = `<${mark}${attributes.join('')}`
  return words === null ? `${head}/>` : `${head}>\n${escaped(words)}\n</${mark}>`
}

type Image = Extract<InputPart, { type: 'image' }>

/** An image with its fields in one order, whatever order the log has them in. [REQ1] */
export function sentImage({ attachmentId, blob, name, widthPx, heightPx }: Image): Image {
  return {
    type: 'image',
    attachmentId,
    blob: sentBlob(blob),
    ...(name === undefined ? {} : { name: sentName(name) }),
    ...(widthPx === undefined ? {} : { widthPx }),
    ...(heightPx === undefined ? {} : { heightPx }),
  }
}

function sentBlob({ hash, sizeBytes, mediaType }: Image['blob']): Image['blob'] {
  return { hash, sizeBytes, mediaType }
}

/** A name is one line: adapters put it into marks and titles. */
function sentName(name: string): string {
  return clipped(name.replaceAll(/\p{Cc}+/gu, ' '), LIMITS_CHARS.name)
}

function attribute(text: string): string {
  return escaped(sentName(text))
}

function data(text: string): InputPart {
  return { type: 'text', text }
}
