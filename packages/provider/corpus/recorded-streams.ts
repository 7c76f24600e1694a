import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A provider's stream as it was recorded, and in whose form it is. */
export interface RecordedStream {
  readonly path: string
  readonly format: 'anthropic' | 'openai-chat'
  readonly bytes: Uint8Array
}

/** What was found in a folder. Streams in forms that our own adapters do not speak are only counted. */
export interface Recordings {
  readonly streams: readonly RecordedStream[]
  readonly otherFormats: number
}

/**
 * Finds the recorded streams of a folder: `*.chunks.txt` holds one JSON event a line, and a `.json` file with a list
 * `chunks` the bytes of a body.
 */
export function readRecordings(folder: string): Recordings {
  const streams: RecordedStream[] = []
  let otherFormats = 0
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  for (const path of files) {
    const text = bodyOf(path, () => readFileSync(join(folder, path), 'utf8'))
    if (text === null) continue
    const format = formatOf(text)
    if (format) streams.push({ path, format, bytes: new TextEncoder().encode(text) })
    else otherFormats += 1
  }
  return { streams, otherFormats }
}

function bodyOf(path: string, read: () => string): string | null {
  if (path.endsWith('.chunks.txt')) return asEvents(read())
  if (!path.endsWith('.json')) return null
  const recording: unknown = JSON.parse(read())
  const chunks = isObject(recording) ? recording.chunks : null
  return Array.isArray(chunks) && chunks.every((chunk) => typeof chunk === 'string') ? chunks.join('') : null
}

/** The lines as a server sends them. Anthropic names its events and ends by one; the others end with `[DONE]`. */
function asEvents(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const events = lines.map((line) => {
    const type = /^\{"type":"([a-z_]+)"/.exec(line)?.[1]
    return type === undefined ? `data: ${line}\n\n` : `event: ${type}\ndata: ${line}\n\n`
  })
  return events.join('') + (/"chat\.completion\.chunk"/.test(text) ? 'data: [DONE]\n\n' : '')
}

function formatOf(text: string): RecordedStream['format'] | null {
  if (/"type": ?"message_start"/.test(text)) return 'anthropic'
  return text.includes('"chat.completion.chunk"') ? 'openai-chat' : null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
