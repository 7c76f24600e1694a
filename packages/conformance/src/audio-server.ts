import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What was asked of an audio server, as it understood it. */
export type AskedOfAudio =
  | {
      readonly type: 'speech'
      readonly at: number
      readonly text: string
      readonly voice: string
      readonly model: string
      readonly speed: number
    }
  | {
      readonly type: 'transcription'
      readonly at: number
      readonly model: string
      readonly language: string | null
      readonly fileName: string
      readonly mediaType: string
      readonly bytes: number
    }

/** What it does with what comes: answers it, or fails in one of the ways that such servers have. */
export type AudioTrouble =
  | 'none'
  | 'unauthorized'
  | 'page'
  | 'moved'
  | 'broken'
  | 'echo'
  | 'cut'
  | 'empty'
  | 'endless'
  | 'silent'

/** An audio server of OpenAI's form on loopback: it refuses what is not of that form, and speaks in tones. */
export interface AudioServer {
  /** With `/v1` behind it. */
  readonly baseUrl: string
  readonly key: string
  /** What came whole, in its order. */
  readonly asked: readonly AskedOfAudio[]
  /** Why something was refused. */
  readonly refusals: readonly string[]
  /** Requests whose body came whole. */
  readonly received: () => number
  /** Requests that were broken off before their answer had ended. */
  readonly brokenOff: () => number
  /** What recordings say from now on. */
  hear(text: string): void
  /** What becomes of requests from now on. */
  fail(trouble: AudioTrouble): void
  close(): Promise<void>
}

const SAMPLE_RATE = 8_000
/** So long a character sounds, in milliseconds. */
const CHARACTER_MS = 40
const MOST_BODY_BYTES = 30_000_000

class Refused extends Error {
  override readonly name = 'Refused'
  readonly code = 'refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Starts one. https://platform.openai.com/docs/api-reference/audio */
export async function createAudioServer(key: string): Promise<AudioServer> {
  const asked: AskedOfAudio[] = []
  const refusals: string[] = []
  let trouble: AudioTrouble = 'none'
  let heard = 'Words that were heard'
  let received = 0
  let brokenOff = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableFinished) brokenOff += 1
    })
    const body = await bodyOf(request)
    received += 1
    if (request.method !== 'POST') throw new Refused(405, `${request.method} is not POST`)
    if (request.headers.authorization !== `Bearer ${key}` || trouble === 'unauthorized')
      throw new Refused(401, `Incorrect API key provided: ${request.headers.authorization?.slice(7)}`)
    if (trouble !== 'none') return misbehave(response, trouble)
    if (request.url === '/v1/audio/speech') return speech(request, { body, response })
    if (request.url === '/v1/audio/transcriptions') return transcription(request, { body, response })
    throw new Refused(404, `There is no ${request.url}`)
  }

  function speech(
    { headers }: IncomingMessage,
    { body, response }: { readonly body: Buffer; readonly response: ServerResponse },
  ): void {
    if (headers['content-type'] !== 'application/json')
      throw new Refused(400, `Content-Type is ${headers['content-type']}`)
    const said: unknown = JSON.parse(body.toString('utf8'))
    const text = textIn(said, 'input')
    if (text === '' || text.length > 4_096) throw new Refused(400, `input has ${text.length} characters`)
    const speed = typeof said === 'object' && said !== null && 'speed' in said ? Number(said.speed) : 1
    if (!(speed >= 0.25 && speed <= 4)) throw new Refused(400, `speed is ${speed}`)
    asked.push({
      type: 'speech',
      at: Date.now(),
      text,
      voice: textIn(said, 'voice'),
      model: textIn(said, 'model'),
      speed,
    })
    response.writeHead(200, { 'content-type': 'audio/wav' }).end(toneOf((text.length * CHARACTER_MS) / speed))
  }

  function transcription(
    { headers }: IncomingMessage,
    { body, response }: { readonly body: Buffer; readonly response: ServerResponse },
  ): void {
    const form = formOf(headers['content-type'] ?? '', body)
    const file = form.get('file')
    if (!file?.fileName) throw new Refused(400, 'The form has no file')
    if (file.content.length === 0) throw new Refused(400, 'The file is empty')
    asked.push({
      type: 'transcription',
      at: Date.now(),
      model: needed(form.get('model')?.content.toString('utf8'), 'model'),
      language: form.get('language')?.content.toString('utf8') ?? null,
      fileName: file.fileName,
      mediaType: file.mediaType ?? '',
      bytes: file.content.length,
    })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text: heard }))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      refusals.push(message)
      const status = error instanceof Refused ? error.status : 400
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The audio server has no port')
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    key,
    asked,
    refusals,
    received: () => received,
    brokenOff: () => brokenOff,
    hear(text) {
      heard = text
    },
    fail(next) {
      trouble = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function misbehave(response: ServerResponse, trouble: Exclude<AudioTrouble, 'none' | 'unauthorized'>): void {
  switch (trouble) {
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Sign in</title>')
      return
    case 'moved':
      response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end()
      return
    case 'broken':
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"out of memory"}}')
      return
    case 'echo':
      response.writeHead(500).end(`boom ${JSON.stringify(response.req.headers)}`)
      return
    case 'cut':
      response
        .writeHead(200, {
          'content-type': response.req.url?.endsWith('/speech') ? 'audio/wav' : 'application/json',
          'content-length': 100,
        })
        .write('{"text"')
      setImmediate(() => response.destroy())
      return
    case 'empty':
      response.writeHead(200, { 'content-type': 'audio/wav' }).end()
      return
    case 'endless':
      response.writeHead(200, { 'content-type': 'audio/wav' })
      pour(response)
      return
    case 'silent':
  }
}

function pour(response: ServerResponse): void {
  const piece = Buffer.alloc(1_000_000)
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', more)
  more()
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) continue
    bytes += piece.length
    if (bytes > MOST_BODY_BYTES) throw new Refused(413, `The body has more than ${MOST_BODY_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function textIn(said: unknown, name: string): string {
  const value: unknown = typeof said === 'object' && said !== null ? Reflect.get(said, name) : undefined
  return needed(typeof value === 'string' ? value : undefined, name)
}

function needed(value: string | undefined, name: string): string {
  if (value !== undefined && value !== '') return value
  throw new Refused(400, `${name} is missing`)
}

interface FormPart {
  readonly fileName: string | null
  readonly mediaType: string | null
  readonly content: Buffer
}

/** The parts of a form by their names. https://www.rfc-editor.org/rfc/rfc7578 */
function formOf(contentType: string, body: Buffer): ReadonlyMap<string, FormPart> {
  const boundary = /^multipart\/form-data; *boundary="?([^";]+)"?/.exec(contentType)?.[1]
  if (boundary === undefined) throw new Refused(400, `Content-Type is ${contentType}`)
  const parts = new Map<string, FormPart>()
  const mark = Buffer.from(`--${boundary}`)
  for (let at = body.indexOf(mark); at !== -1; ) {
    const next = body.indexOf(mark, at + mark.length)
    if (next === -1) break
    const part = body.subarray(at + mark.length + 2, next - 2)
    const headEnd = part.indexOf('\r\n\r\n')
    const head = part.subarray(0, headEnd).toString('utf8')
    const name = / name="([^"]*)"/.exec(head)?.[1]
    if (name === undefined) throw new Refused(400, 'A part of the form has no name')
    parts.set(name, {
      fileName: /filename="([^"]*)"/.exec(head)?.[1] ?? null,
      mediaType: /content-type: *([^\r\n]+)/i.exec(head)?.[1] ?? null,
      content: part.subarray(headEnd + 4),
    })
    at = next
  }
  return parts
}

/** A tone of so many milliseconds, as 16-bit PCM in a WAV file. http://soundfile.sapp.org/doc/WaveFormat/ */
function toneOf(milliseconds: number): Buffer {
  const samples = Math.max(1, Math.round((milliseconds / 1_000) * SAMPLE_RATE))
  const sound = Buffer.alloc(44 + samples * 2)
  sound.write('RIFF', 0)
  sound.writeUInt32LE(36 + samples * 2, 4)
  sound.write('WAVEfmt ', 8)
  sound.writeUInt32LE(16, 16)
  sound.writeUInt16LE(1, 20)
  sound.writeUInt16LE(1, 22)
  sound.writeUInt32LE(SAMPLE_RATE, 24)
  sound.writeUInt32LE(SAMPLE_RATE * 2, 28)
  sound.writeUInt16LE(2, 32)
  sound.writeUInt16LE(16, 34)
  sound.write('data', 36)
  sound.writeUInt32LE(samples * 2, 40)
  for (let index = 0; index < samples; index++)
    sound.writeInt16LE(Math.round(Math.sin((index / SAMPLE_RATE) * 2 * Math.PI * 440) * 8_000), 44 + index * 2)
  return sound
}
