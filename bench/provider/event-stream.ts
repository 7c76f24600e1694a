import { createEventStreamParser } from '@holdfast/provider/testing'
import { createParser } from 'eventsource-parser'
import { type Benchmark, median, timeMs } from '../lib/measure.ts'

const DELTAS = 100_000
const ROUNDS = 5
/** As many bytes as a socket gives at once where a server sends as fast as it can. */
const BURST_BYTES = 65_536
const LIMIT = 10_000_000

/** What both parsers are given, and what they have to find. */
interface Stream {
  readonly name: string
  readonly chunks: readonly Uint8Array[]
}

/** Server-sent events as the models' reader takes them apart, beside the library that it stands on. */
export const eventStream: Benchmark = {
  name: 'event-stream',
  about: `${DELTAS} deltas taken apart, beside eventsource-parser alone; median of ${ROUNDS}`,
  async run(report) {
    const events = Array.from({ length: DELTAS }, (_, index) => eventOf(index))
    const streams: readonly Stream[] = [
      { name: 'paced', chunks: events.map((event) => Buffer.from(event)) },
      { name: 'burst', chunks: burstsOf(Buffer.from(events.join(''))) },
    ]
    const figures = []
    for (const { name, chunks } of streams) {
      const own: number[] = []
      const other: number[] = []
      for (let round = 0; round <= ROUNDS; round++) {
        own.push(await timeMs(() => expectAll(countByOwn(chunks))))
        other.push(await timeMs(() => expectAll(countByLibrary(chunks))))
      }
      const [value, baseline] = [own, other].map((times) => (1_000 * median(times.slice(1))) / DELTAS)
      if (value === undefined || baseline === undefined) throw new Error('Nothing was measured')
      report(`${name}: ${chunks.length} chunks`)
      figures.push({
        name: `event-stream ${name}: a delta`,
        value,
        unit: 'us',
        baseline,
        ratio: value / baseline,
        goal: 'at most 3 times the library',
        met: value <= 3 * baseline,
      })
    }
    return figures
  },
}

function eventOf(index: number): string {
  const data = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ` word${index}` } }
  return `event: content_block_delta\ndata: ${JSON.stringify(data)}\n\n`
}

function burstsOf(bytes: Buffer): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += BURST_BYTES)
    chunks.push(bytes.subarray(start, start + BURST_BYTES))
  return chunks
}

function countByOwn(chunks: readonly Uint8Array[]): number {
  const parser = createEventStreamParser({ limit: LIMIT })
  let count = 0
  for (const chunk of chunks) for (const { data } of parser.push(chunk)) count += data.length > 0 ? 1 : 0
  return count
}

/** With the decoder that it needs before it, and the same limit. */
function countByLibrary(chunks: readonly Uint8Array[]): number {
  const decoder = new TextDecoder()
  let count = 0
  const parser = createParser({
    maxBufferSize: LIMIT,
    onEvent({ data }) {
      count += data.length > 0 ? 1 : 0
    },
  })
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
  return count
}

function expectAll(count: number): void {
  if (count !== DELTAS) throw new Error(`${count} events of ${DELTAS} were found`)
}
