import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { z } from 'zod'
import { readHouseDoor } from '../../config.ts'
import { takeStdout, watchParent } from './own-pipes.ts'

/** What stands before the data of one event of a stream. */
const DATA = 'data:'

/**
 * Leads an agent that speaks MCP over pipes alone to the house tools of its conversation: each line of its own is a
 * request, and what is answered is written as lines. It ends with who started it. [AGENT41] @returns the exit code.
 */
export async function bridgeHouse(): Promise<number> {
  const output = takeStdout()
  const door = readHouseDoor()
  const leaving = new AbortController()
  const parent = watchParent(() => leaving.abort())
  const lines = createInterface({ input: process.stdin, signal: leaving.signal })
  const open = new Set<Promise<void>>()
  lines.on('line', (line) => {
    if (line.trim() === '') return
    const asking = ask(door, { line, output, signal: leaving.signal })
      .catch((error: unknown) => failed(line, { output, error }))
      .finally(() => open.delete(asking))
    open.add(asking)
  })
  await new Promise<void>((resolve) => lines.once('close', resolve))
  leaving.abort()
  await Promise.all(open)
  parent.end()
  return 0
}

interface Asked {
  readonly line: string
  readonly output: Writable
  readonly signal: AbortSignal
}

/** What is told while a call waits is handed on as it comes. */
async function ask({ url, key }: ReturnType<typeof readHouseDoor>, { line, output, signal }: Asked): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: line,
    signal,
  })
  if (!answer.ok) throw new Error(`Holdfast answered with ${answer.status}: ${(await answer.text()).slice(0, 500)}`)
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (!isStream) {
    const text = (await answer.text()).trim()
    if (text !== '') output.write(`${text}\n`)
    return
  }
  let rest = ''
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const read = `${rest}${piece}`.split('\n')
    rest = read.pop() ?? ''
    for (const told of read) if (told.startsWith(DATA)) output.write(`${told.slice(DATA.length).trim()}\n`)
  }
}

const Request = z.looseObject({ id: z.union([z.string(), z.number()]), method: z.string() })

/** Who asked is told why; what asks nothing has nobody to be told. */
function failed(line: string, { output, error }: { readonly output: Writable; readonly error: unknown }): void {
  const message = error instanceof Error ? error.message : String(error)
  const request = Request.safeParse(parsed(line))
  if (!request.success) process.stderr.write(`${message}\n`)
  else output.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.data.id, error: { code: -32603, message } })}\n`)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
