import { isRecord, type JsonRecord, listOf, recordOf } from '../json.ts'
import type { Refusal } from '../violation.ts'
import { messagesOf } from './messages.ts'
import { refuse } from './refuse.ts'

const MOST_POINTS = 4

interface Point {
  readonly path: string
  readonly lifetime: unknown
}

/** Cache points follow what they mark, are at most four, and those that live long come first. */
export function checkCachePoints(body: JsonRecord): readonly Refusal[] {
  const lists = [
    { path: 'toolConfig.tools', items: listOf(recordOf(body.toolConfig).tools) },
    { path: 'system', items: listOf(body.system) },
    ...messagesOf(body).map(({ path, blocks }) => ({
      path: `${path}.content`,
      items: blocks.map(({ value }) => value),
    })),
  ]
  const points = lists.flatMap(({ path, items }) => pointsIn(path, items))
  const found = lists.flatMap(({ path, items }) => checkPlace(path, items))
  if (points.length > MOST_POINTS) {
    const message = `The request holds ${points.length} cachePoint blocks. At most ${MOST_POINTS} are allowed.`
    found.push(refuse('B5', points[MOST_POINTS]?.path ?? 'messages', message))
  }
  const firstShort = points.findIndex(({ lifetime }) => lifetime !== '1h')
  const late = firstShort === -1 ? undefined : points.slice(firstShort).find(({ lifetime }) => lifetime === '1h')
  if (late !== undefined) {
    const message = `The cachePoint at ${late.path} has a ttl of 1h and stands after one of 5m. Longer ones must come first.`
    found.push(refuse('B5', late.path, message))
  }
  return found
}

function pointsIn(path: string, items: readonly unknown[]): readonly Point[] {
  return items.flatMap((item, index) => {
    const point = recordOf(item).cachePoint
    return isRecord(point) ? [{ path: `${path}.${index}`, lifetime: point.ttl ?? '5m' }] : []
  })
}

function checkPlace(path: string, items: readonly unknown[]): Refusal[] {
  const points = pointsIn(path, items)
  if (points.length > 0 && points.length === items.length) {
    const message = `The content at ${path} holds only cachePoint blocks. Add a block of another type and try again.`
    return [refuse('B5', path, message)]
  }
  return points
    .filter((point) => point.path === `${path}.0`)
    .map((point) => refuse('B5', point.path, `The cachePoint at ${point.path} must follow the content that it marks.`))
}
