import * as z from 'zod'
import type { CallChange } from './agent-update.ts'

const leaving = z.looseObject({
  parentDir: z.string().exactOptional(),
  directories: z.array(z.string()).exactOptional(),
})

/**
 * The folders outside of its own that a question of an agent is about; null where it is about the call itself. opencode asks
 * so before it asks for what it does there. Seen of 1.18.33. [AGENT69]
 */
export function foldersLeftBy({ rawInput, content }: CallChange): readonly string[] | null {
  const read = leaving.safeParse(rawInput)
  if (!read.success || (content ?? []).length > 0) return null
  const { parentDir, directories } = read.data
  return parentDir === undefined ? (directories ?? null) : [parentDir]
}
