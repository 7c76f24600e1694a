import { type BodyOf, routes } from '@holdfast/protocol'
import * as z from 'zod'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { untilInterrupt } from '../reach/explained.ts'
import { reachServer } from '../reach/reach-server.ts'
import { readLine } from '../terminal/terminal-prompt.ts'
import { conversationIdOf } from './conversations.ts'

/** What `holdfast erase` was asked for. */
export interface EraseOptions {
  readonly results: boolean
  readonly reason: string
  readonly dryRun: boolean
  readonly yes: boolean
  readonly json: boolean
  readonly dataDir?: string
}

type Erased = BodyOf<typeof routes.eraseEntries, 200>

const PAGE = 200

/** Erases what messages say, once more asked where a person sits there. @returns the exit code. */
export async function erase(name: string, numbers: readonly string[], options: EraseOptions): Promise<number> {
  const { dataDir, dryRun, yes, json, results, reason } = options
  const seqs = numbers.map(seqOf)
  if (!dryRun && !yes && seqs.length > 0 && !process.stdin.isTTY)
    throw new CliError(
      'E_NOT_CONFIRMED',
      2,
      'What is erased never comes back: give --yes, or look first with --dry-run.',
    )
  const server = await reachServer({ detect: false, looksOnly: true, ...(dataDir === undefined ? {} : { dataDir }) })
  try {
    const id = await conversationIdOf(server.api, name)
    if (seqs.length === 0) return await listMessages(server.api, { id, json })
    const ask = (isDry: boolean) =>
      server.api.call(routes.eraseEntries, { params: { id }, body: { seqs, results, reason, dryRun: isDry } })
    if (!dryRun && !yes) {
      process.stderr.write(`${inWords(await ask(true))}\n`)
      const answer = await readLine('This cannot be undone. Erase it? Type yes: ', untilInterrupt())
      if (answer?.trim() !== 'yes') {
        process.stderr.write('Nothing was erased.\n')
        return 1
      }
    }
    const done = await ask(dryRun)
    process.stdout.write(json ? `${JSON.stringify(done)}\n` : `${inWords(done)}\n`)
    process.stderr.write(`${done.backups}\n`)
    if (done.memoryIds.length > 0)
      process.stderr.write(`Memories from it stay: holdfast memories delete ${done.memoryIds.join(' ')}\n`)
    return 0
  } finally {
    await server.close()
  }
}

function seqOf(text: string): number {
  const seq = Number(text)
  if (Number.isSafeInteger(seq) && seq > 0) return seq
  throw new CliError('E_USAGE', 2, `${text} is not the number of a message. Without numbers they are listed.`)
}

function inWords({ seqs, kinds, fileCount, isErased }: Erased): string {
  const each = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`)
  const files = fileCount === 0 ? '' : `; files and long results that they name: ${fileCount}`
  const entries = seqs.length === 1 ? 'entry' : 'entries'
  return `${isErased ? 'Erased' : 'Would erase'} ${seqs.length} ${entries}: ${each.join(', ')}${files}.`
}

/** The messages with the numbers by which they are erased, oldest first. */
async function listMessages(api: Api, { id, json }: { readonly id: string; readonly json: boolean }): Promise<number> {
  const rows: { readonly seq: number; readonly role: string; readonly state: string; readonly words: string }[] = []
  for (let before: number | null = null; ; ) {
    const query = { limit: String(PAGE), ...(before === null ? {} : { before: String(before) }) }
    const page: BodyOf<typeof routes.readTranscript, 200> = await api.call(routes.readTranscript, {
      params: { id },
      query,
    })
    const shown = page.items.filter(({ role }) => role === 'user' || role === 'assistant' || role === 'summary')
    rows.unshift(...shown.map(({ seq, role, state, parts }) => ({ seq, role, state, words: firstLine(parts) })))
    const [oldest] = page.items
    if (!oldest) break
    before = oldest.seq
  }
  if (json) process.stdout.write(`${JSON.stringify({ messages: rows })}\n`)
  else
    for (const { seq, role, state, words } of rows)
      process.stdout.write(`${seq}\t${role}\t${state === 'erased' ? '(erased)' : words}\n`)
  process.stderr.write(`Erase one: holdfast erase ${id} NUMBER\n`)
  return 0
}

const LINE_CHARS = 80

const TextPart = z.object({ type: z.literal('text'), text: z.string() })

function firstLine(parts: readonly unknown[]): string {
  const [text] = parts.flatMap((part) => TextPart.safeParse(part).data?.text ?? [])
  const line = text?.trim().split('\n', 1)[0] ?? ''
  // A terminal obeys control characters, and a message may hold any.
  const plain = line.replaceAll(/\p{Cc}/gu, ' ')
  return plain.length > LINE_CHARS ? `${plain.slice(0, LINE_CHARS - 1)}…` : plain
}
