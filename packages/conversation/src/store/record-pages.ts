import type { Json } from '../json.ts'
import type { RecordKind, Records, StoredRecord } from './records.ts'

const PAGE = 500

/** All records of an owner, by id, however many there are: read page by page. */
export async function allRecords<Value extends Json>(
  records: Pick<Records, 'list'>,
  kind: RecordKind<Value>,
  ownerId: string,
): Promise<readonly StoredRecord<Value>[]> {
  const found: StoredRecord<Value>[] = []
  for (;;) {
    const last = found.at(-1)
    const after = last === undefined ? {} : { afterId: last.id }
    const page = await records.list(kind, { ownerId, limit: PAGE, ...after })
    found.push(...page)
    if (page.length < PAGE) return found
  }
}

/** The place at which the feed of changes ends now, looked for from an earlier place on. */
export async function endOfFeed(records: Pick<Records, 'changes'>, from: number): Promise<number> {
  for (let after = from; ; ) {
    const page = await records.changes(after, PAGE)
    after = page.at(-1)?.change ?? after
    if (page.length < PAGE) return after
  }
}
