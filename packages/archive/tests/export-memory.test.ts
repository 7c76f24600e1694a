import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { exportHtml, exportJson, exportMarkdown } from '@holdfast/archive'
import type { Entry } from '@holdfast/conversation'
import { conversationCreated, logOf, wholeTurn } from '@holdfast/conversation/testing'
import { beforeAll, describe, expect, it } from 'vitest'

const MIB = 1_024 * 1_024
/** Turns of the shorter log, and between two looks at the heap: a collection takes long. */
const FEW = 4
const OPTIONS = {
  includesToolCalls: true,
  includesThinking: true,
  includesSetAside: true,
  includesUsage: true,
  includesAttachments: true,
}

const READERS = [
  ['json', (entries: () => AsyncIterable<Entry>) => exportJson({ ...NAMED, entries: entries(), readBlob: null })],
  ['md', (entries: () => AsyncIterable<Entry>) => exportMarkdown({ entries, options: OPTIONS })],
  ['html', (entries: () => AsyncIterable<Entry>) => exportHtml({ entries, options: OPTIONS })],
] as const
const NAMED = { conversationId: 'conversation_1' }

let collect: () => void

beforeAll(() => {
  setFlagsFromString('--expose-gc')
  collect = runInNewContext('gc')
})

/** The most that lives in the heap while so many turns of two long messages are exported, above what lived before, in MiB. */
async function mostHeld(write: (typeof READERS)[number][1], turns: number): Promise<number> {
  collect()
  const before = process.memoryUsage().heapUsed
  let most = 0
  const log = logOf(NAMED.conversationId, [
    conversationCreated('user_1'),
    ...Array.from({ length: turns }, (_, number) => wholeTurn(number, { asked: 'asked', answered: 'answered' })).flat(),
  ])
  async function* entries(): AsyncGenerator<Entry> {
    let ended = 0
    for (const entry of log) {
      yield withLongText(entry)
      if (entry.type !== 'run-finished') continue
      ended += 1
      if (ended % FEW !== 0) continue
      collect()
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }
  }
  for await (const _ of write(entries));
  return most / MIB
}

/** The same entry with a text of a quarter of a megabyte, made as it is read. */
function withLongText(entry: Entry): Entry {
  const text: string = JSON.parse(JSON.stringify('word '.repeat(MIB / 20)))
  switch (entry.type) {
    case 'user-message-sent':
      return { ...entry, content: [{ type: 'text', text }] }
    case 'step-finished':
      return { ...entry, blocks: [{ type: 'text', text }] }
    default:
      return entry
  }
}

describe('the memory of an export', () => {
  it.each(READERS)(
    '[LOG14, LOG18] as %s does not grow with the log: four times the turns hold no more',
    async (_, write) => {
      const few = await mostHeld(write, FEW)
      const many = await mostHeld(write, 4 * FEW)
      expect(many).toBeLessThan(few + 2)
    },
  )
})
