import { join } from 'node:path'
import type { Program } from '../support/program.ts'

/** Where what released versions wrote is kept, a folder for each. */
export const KEPT = join(import.meta.dirname, 'kept')

/** What a version tells of its data folder, by the path that was asked. */
export type KeptVersion = Readonly<Record<string, unknown>>

/** Asks for all that a data folder holds: each log to its end, what is read of it, and the records. */
export async function askAll(program: Pick<Program, 'call'>): Promise<KeptVersion> {
  const answers: Record<string, unknown> = {}
  const ask = async (path: string): Promise<unknown> => {
    answers[path] = await program.call('GET', path)
    return answers[path]
  }
  const listed = await ask('/conversations')
  for (const id of idsIn(listed))
    for (const part of ['entries?after=0&limit=1000', 'transcript', 'ledger', 'canvas'])
      await ask(`/conversations/${id}/${part}`)
  await ask('/memories')
  await ask('/search?q=line')
  return answers
}

function idsIn(listed: unknown): string[] {
  return [...JSON.stringify(listed).matchAll(/"id":"(conversation_[0-9a-f]+)"/g)].map(([, id = '']) => id)
}
