import * as z from 'zod'
import type { ServerProcess } from './server-processes.ts'

/** A conversation, and where it is read. */
export interface PagesOf {
  readonly program: Pick<ServerProcess, 'url' | 'token'>
  readonly conversationId: string
}

const EntriesPage = z.object({ entries: z.array(z.object({ seq: z.number() })), head: z.number() })

/** Reads all pages of a log, one after the other. @returns how many entries there were. */
export async function readPages({ program: { url, token }, conversationId }: PagesOf): Promise<number> {
  let count = 0
  for (let after = 0, head = 1; after < head; ) {
    const path = `/api/v1/conversations/${conversationId}/entries?limit=1000&after=${after}`
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    const page = EntriesPage.parse(await answer.json())
    count += page.entries.length
    after = page.entries.at(-1)?.seq ?? page.head
    head = page.head
  }
  return count
}
