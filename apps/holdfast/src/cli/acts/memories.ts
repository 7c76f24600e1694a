import { type MemoryRow, routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import { withApi } from '../reach/with-api.ts'

/** What every command about memories is told. */
export interface MemoriesOptions {
  readonly dataDir?: string
}

/** Says what is remembered. @returns the exit code. */
export async function listMemories(
  query: string,
  { json, ...options }: MemoriesOptions & { readonly json: boolean },
): Promise<number> {
  return withApi({ ...options, looksOnly: true }, async (api) => {
    const answer = await api.call(routes.listMemories, query === '' ? {} : { query: { query } })
    if (json) process.stdout.write(`${JSON.stringify(answer)}\n`)
    else process.stdout.write(written(answer.memories))
    const off = answer.isOn ? '' : ' Memories are turned off: agents are told none of them.'
    process.stderr.write(`${answer.memories.length} of ${answer.totalCount} memories.${off}\n`)
    return 0
  })
}

/** Forgets memories by their ids, or all of them. @returns the exit code. */
export async function deleteMemories(
  ids: readonly string[],
  { all, ...options }: MemoriesOptions & { readonly all: boolean },
): Promise<number> {
  if (all === ids.length > 0)
    throw new CliError('E_USAGE', 2, 'Name memories or give --all: holdfast memories delete ID… or --all.')
  return withApi({ ...options, looksOnly: true }, async (api) => {
    for (const memoryId of ids) await api.call(routes.deleteMemory, { params: { memoryId } })
    const count = all ? (await api.call(routes.deleteMemories, {})).deletedCount : ids.length
    process.stderr.write(`Forgot ${count} ${count === 1 ? 'memory' : 'memories'}.\n`)
    return 0
  })
}

function written(memories: readonly MemoryRow[]): string {
  return memories
    .map(({ memoryId, text, agentId, isPinned }) => {
      const marks = [...(isPinned ? ['pinned'] : []), ...(agentId === null ? [] : [`only ${agentId}`])]
      return `${memoryId}  ${text}${marks.length === 0 ? '' : `  (${marks.join(', ')})`}\n`
    })
    .join('')
}
