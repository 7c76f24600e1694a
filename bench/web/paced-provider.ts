import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { textOf } from '../lib/stores.ts'

/** What one answer is made of: the kinds of blocks that are costly when a page reads them anew at each fragment. */
export const BLOCK_KINDS = ['paragraph', 'list', 'table', 'code'] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

/** How fast it speaks, and for how long. */
export interface Pace {
  readonly deltasPerSecond: number
  readonly characters: number
}

/** A server of models on this machine that speaks one block of a kind as fast as it is told to. */
export interface PacedProvider {
  readonly url: string
  close(): void
}

/** A fragment, in UTF-16 code units. */
const DELTA_LENGTH = 6

/** How often the fragments that are due are written, in milliseconds. */
const WRITE_MS = 5

/** Starts it. The model's name chooses the kind of block. */
export async function startPacedProvider(pace: Pace): Promise<PacedProvider> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => void answer(body, response))
  })

  async function answer(body: string, response: ServerResponse): Promise<void> {
    const kind = BLOCK_KINDS.find((known) => body.includes(`"model":"${known}"`))
    // What asks for a title names a model too, and is answered as briefly as it deserves.
    const isMain = kind !== undefined && body.includes('Speak for long')
    const text = isMain ? blockOf(kind, pace.characters) : 'Short.'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const perWrite = Math.max(1, Math.round((pace.deltasPerSecond * WRITE_MS) / 1_000))
    const startedAt = performance.now()
    let written = 0
    for (let at = 0; at < text.length && !response.destroyed; ) {
      const pieces: string[] = []
      for (let count = 0; count < perWrite && at < text.length; count++, at += DELTA_LENGTH) {
        pieces.push(eventOf({ content: text.slice(at, at + DELTA_LENGTH) }, null))
      }
      response.write(pieces.join(''))
      written += pieces.length
      const dueMs = (written / pace.deltasPerSecond) * 1_000 - (performance.now() - startedAt)
      if (dueMs > 0) await wait(dueMs)
    }
    response.end(`${eventOf({}, 'stop')}data: [DONE]\n\n`)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}

function eventOf(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices })}\n\n`
}

/** One block of so many characters. */
function blockOf(kind: BlockKind, characters: number): string {
  const line = (number: number) => lineOf(kind, textOf(number, 12))
  const head = { paragraph: '', list: '', table: '| one | two | three |\n|---|---|---|\n', code: '```\n' }[kind]
  const lines: string[] = [head]
  for (let length = 0, number = 0; length < characters; number += 1) {
    const next = line(number)
    lines.push(next)
    length += next.length
  }
  return `${lines.join('')}${kind === 'code' ? '```\n' : ''}`
}

function lineOf(kind: BlockKind, words: string): string {
  switch (kind) {
    case 'paragraph':
      return `${words}, **${words.slice(0, 8)}** and \`${words.slice(9, 15)}\`. `
    case 'list':
      return `- ${words} with *${words.slice(0, 8)}*\n`
    case 'table':
      return `| ${words.slice(0, 20)} | **${words.slice(20, 28)}** | ${words.slice(28, 44)} |\n`
    case 'code':
      return `  const ${words.slice(0, 5)} = '${words.slice(6, 50)}'\n`
  }
}
