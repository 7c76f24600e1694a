import type { Clock, Records } from '@holdfast/conversation'
import * as z from 'zod'

/** The agents of others that people have accepted. */
export interface Acceptances {
  of(userId: string): Promise<ReadonlySet<string>>
  add(userId: string, agentId: string): Promise<void>
}

const ACCEPTANCE = { kind: 'agent-acceptance', schema: z.object({}) } as const

const PAGE = 500

/** Keeps them in the records of each person. */
export function createAcceptances({
  records,
  clock,
}: {
  readonly records: Records
  readonly clock: Clock
}): Acceptances {
  return {
    async of(userId) {
      const found = new Set<string>()
      for (let afterId: string | null = null; ; ) {
        const after: { readonly afterId?: string } = afterId === null ? {} : { afterId }
        const page = await records.list(ACCEPTANCE, { ownerId: userId, limit: PAGE, ...after })
        for (const { id } of page) found.add(id)
        const last = page.at(-1)
        if (page.length < PAGE || last === undefined) return found
        afterId = last.id
      }
    },
    async add(userId, agentId) {
      const place = { ownerId: userId, id: agentId }
      if (await records.get(ACCEPTANCE, place)) return
      await records.put(ACCEPTANCE, { ...place, revision: 0, value: {}, at: clock.now() })
    },
  }
}
