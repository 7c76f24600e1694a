import {
  type Memories,
  type Memory,
  type MemoryOutcome,
  memoriesFor,
  memoryAgentOf,
  rankMemories,
  savedIn,
} from '@holdfast/engine'
import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes about memories need. */
export interface MemoryRoutesDeps extends BindDeps {
  readonly memories: Memories
}

/** What forgetting does not reach. [LOG9] */
const BACKUPS =
  'Backups that were made before hold them still. What agents were told of them stays in the conversations in which they were told; erase it there.'

/** Serves what is remembered of a user, to that user alone. [SEC1] */
export function bindMemories({ memories, ...deps }: MemoryRoutesDeps): void {
  bindRoute(deps, routes.listMemories, async ({ query: { query, agentId, conversationId }, userId, answer }) => {
    const all = await memories.list(userId)
    const ofAgent = agentId === undefined ? all : memoriesFor(all, memoryAgentOf(agentId))
    const wanted = conversationId === undefined ? ofAgent : savedIn(ofAgent, conversationId)
    const found =
      query === undefined || query.trim() === ''
        ? wanted.toReversed()
        : rankMemories(wanted, query, { onlyRare: false }).map(({ memory }) => memory)
    const isOn = await memories.isOn(userId)
    const { mostMemories } = memories.settings()
    return answer(200, { memories: [...found], totalCount: all.length, mostMemories, isOn })
  })

  bindRoute(deps, routes.createMemory, async ({ body, userId, answer }) => {
    const { memory, isNew } = savedOf(await memories.save(userId, { ...body, from: null, replaces: null }))
    return answer(isNew ? 201 : 200, { memory, isNew })
  })

  bindRoute(deps, routes.changeMemories, async ({ body: { isOn }, userId, answer }) => {
    await memories.setOn(userId, isOn)
    return answer(200, { isOn })
  })

  bindRoute(deps, routes.deleteMemories, async ({ query: { conversationId }, userId, answer }) => {
    const deletedCount = await memories.removeAll(userId, { conversationId: conversationId ?? null })
    return answer(200, { deletedCount, backups: BACKUPS })
  })

  bindRoute(deps, routes.importMemories, async ({ body, userId, answer }) => {
    const counts = { savedCount: 0, knownCount: 0 }
    const refused: { index: number; reason: string }[] = []
    for (const [index, wish] of body.memories.entries()) {
      const outcome = await memories.save(userId, { ...wish, from: null, replaces: null })
      if (outcome.type === 'saved') counts.savedCount += 1
      if (outcome.type === 'known') counts.knownCount += 1
      if (outcome.type === 'refused') refused.push({ index, reason: outcome.text })
    }
    return answer(200, { ...counts, refused })
  })

  bindRoute(deps, routes.changeMemory, async ({ params: { memoryId }, body, userId, answer }) =>
    answer(200, savedOf(await memories.change(userId, memoryId, body))),
  )

  bindRoute(deps, routes.deleteMemory, async ({ params: { memoryId }, userId, answer }) => {
    if (!(await memories.remove(userId, memoryId))) throw unknownMemory(memoryId)
    return answer(200, { memoryId })
  })
}

/** @throws {RefusedError} for what was not saved. */
function savedOf(outcome: MemoryOutcome): { readonly memory: Memory; readonly isNew: boolean } {
  switch (outcome.type) {
    case 'saved':
      return { memory: outcome.memory, isNew: true }
    case 'known':
      return { memory: outcome.memory, isNew: false }
    case 'unknown':
      throw unknownMemory(outcome.memoryId)
    case 'refused':
      throw new RefusedError(422, outcome.code === 'empty' ? 'bad-request' : 'too-large', outcome.text)
  }
}

function unknownMemory(memoryId: string): RefusedError {
  return new RefusedError(404, 'unknown-memory', `There is no memory ${memoryId}; GET /memories lists them`)
}
