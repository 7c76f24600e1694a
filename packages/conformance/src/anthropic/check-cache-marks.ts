import { isRecord, type JsonRecord, listOf } from '../json.ts'
import type { CacheLifetime } from '../segment.ts'
import type { Refusal } from '../violation.ts'
import { isThinking, marksIn, messagesOf, systemBlocksOf } from './blocks.ts'
import { refuse } from './refuse.ts'

const MOST_MARKS = 4

interface PlacedMark {
  readonly path: string
  readonly lifetime: CacheLifetime
}

/** At most four marks, none on thinking, long ones before short ones. */
export function checkCacheMarks(body: JsonRecord): readonly Refusal[] {
  const marks = allMarks(body)
  const count = marks.length + (isRecord(body.cache_control) ? 1 : 0)
  const found: Refusal[] = []
  if (count > MOST_MARKS) {
    const message = `A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${count}.`
    found.push(refuse('A6', marks[MOST_MARKS]?.path ?? 'cache_control', message))
  }
  const firstShort = marks.findIndex(({ lifetime }) => lifetime === '5m')
  const late = firstShort === -1 ? undefined : marks.slice(firstShort).find(({ lifetime }) => lifetime === '1h')
  if (late !== undefined) {
    const words =
      "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. " +
      'Note that blocks are processed in the following order: `tools`, `system`, `messages`.'
    found.push(refuse('A6', late.path, `${late.path}.cache_control.ttl: ${words}`))
  }
  return [...found, ...onThinking(body)]
}

function allMarks(body: JsonRecord): readonly PlacedMark[] {
  const tools = listOf(body.tools)
    .filter(isRecord)
    .map((value, index) => ({ path: `tools.${index}`, value }))
  const blocks = [...systemBlocksOf(body), ...messagesOf(body).flatMap((message) => message.blocks)]
  return [...tools, ...blocks].flatMap(({ path, value }) => marksIn(value).map(({ lifetime }) => ({ path, lifetime })))
}

function onThinking(body: JsonRecord): readonly Refusal[] {
  return messagesOf(body)
    .flatMap(({ blocks }) => blocks)
    .filter((block) => isThinking(block) && block.value.cache_control !== undefined)
    .map(({ path, type }) => refuse('A6', path, `${path}.${type}.cache_control: Extra inputs are not permitted`))
}
