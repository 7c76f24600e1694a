import { isDeepStrictEqual } from 'node:util'
import { exportHtml, exportJson, exportMarkdown } from '@holdfast/archive'
import { type Entry, ledger } from '@holdfast/conversation'
import { type BlobBodies, type ImportedConversation, importText } from './import-files.ts'

const EVERYTHING = {
  includesToolCalls: true,
  includesThinking: true,
  includesSetAside: true,
  includesUsage: true,
  includesAttachments: true,
}

/** Exports a conversation, imports it again and compares every entry; what differs, in words. [LOG11, COST2] */
export async function checkExports(
  { conversationId, log }: ImportedConversation,
  bodies: BlobBodies,
): Promise<string[]> {
  const restored: BlobBodies = new Map()
  const text = exportJson({
    conversationId,
    entries: each(log),
    readBlob: (hash) => {
      const content = bodies.get(hash)
      return Promise.resolve(content ? { mediaType: 'application/octet-stream', content: each([content]) } : null)
    },
  })
  const { report, conversations } = await importText(text, { name: 'export.json', bodies: restored })
  const [again] = conversations
  if (!again) return [`The export gives no conversation: ${JSON.stringify(report.skips)}`]
  const found = report.skips.map(({ reason, what }) => `The export was read with a loss: ${reason} ${what}`)
  const differing = log.find((entry, index) => !isDeepStrictEqual(anywhere(entry), anywhere(again.log[index])))
  if (differing) found.push(`Entry ${differing.seq} (${differing.type}) came back otherwise`)
  if (again.log.length !== log.length + 1) found.push(`${log.length} entries came back as ${again.log.length}`)
  const totals = ledger.reduce(ledger.initial, log)
  if (!isDeepStrictEqual(totals, ledger.reduce(ledger.initial, again.log))) found.push('The totals came back otherwise')
  if (/<script|<img|<iframe|\son\w+\s*=\s*["']/i.test(withoutWords(await written(exportHtml, log))))
    found.push('The HTML holds more than words and links')
  if ((await written(exportMarkdown, log)).length < 10) found.push('The Markdown is empty')
  return found
}

async function written(write: typeof exportHtml, log: readonly Entry[]): Promise<string> {
  let text = ''
  for await (const piece of write({ entries: () => each(log), options: EVERYTHING })) text += piece
  return text
}

async function* each<Item>(log: readonly Item[]): AsyncGenerator<Item> {
  yield* log
}

function anywhere(entry: Entry | undefined): unknown {
  return entry && { ...entry, conversationId: '' }
}

/** The tags of a page alone: escaped words hold no `<`. */
function withoutWords(html: string): string {
  return (html.match(/<[^>]*>/g) ?? []).join('')
}
