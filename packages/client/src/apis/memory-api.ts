import { API_PATH, type BodyOf, type MemoriesAnswer, type MemoryRow, ownRoutes } from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** What changes of a memory; what is absent stays. */
export interface MemoryEdit {
  readonly text?: string
  readonly isPinned?: boolean
}

/** What a person does with what is remembered of them. Everything throws {RequestFailedError} when it is refused. */
export interface MemoryApi {
  /** Where all of them are as a file, for `ticketed`; `importList` takes it. */
  readonly exportAddress: string
  /** @param query - words; empty for all, the newest first. */
  list(query: string): Promise<MemoriesAnswer>
  add(text: string): Promise<MemoryRow>
  change(memoryId: string, change: MemoryEdit): Promise<MemoryRow>
  remove(memoryId: string): Promise<void>
  /** @returns how many were forgotten. */
  removeAll(): Promise<number>
  setOn(isOn: boolean): Promise<void>
  /** Takes in what `list` gave, also of another installation. */
  importList(list: { readonly memories: readonly unknown[] }): Promise<BodyOf<typeof ownRoutes.importMemories, 200>>
}

/** The ownRoutes about memories of a server. */
export function createMemoryApi(ask: HttpApi): MemoryApi {
  return {
    exportAddress: `${API_PATH}/memories`,
    list: (query) =>
      ask(ownRoutes.listMemories, ownRoutes.listMemories.answers[200], query === '' ? {} : { query: { query } }),
    add: async (text) =>
      (await ask(ownRoutes.createMemory, ownRoutes.createMemory.answers[201], { body: { text } })).memory,
    async change(memoryId, body) {
      const answer = await ask(ownRoutes.changeMemory, ownRoutes.changeMemory.answers[200], {
        params: { memoryId },
        body,
      })
      return answer.memory
    },
    async remove(memoryId) {
      await ask(ownRoutes.deleteMemory, ownRoutes.deleteMemory.answers[200], { params: { memoryId } })
    },
    removeAll: async () =>
      (await ask(ownRoutes.deleteMemories, ownRoutes.deleteMemories.answers[200], {})).deletedCount,
    async setOn(isOn) {
      await ask(ownRoutes.changeMemories, ownRoutes.changeMemories.answers[200], { body: { isOn } })
    },
    importList: (list) => ask(ownRoutes.importMemories, ownRoutes.importMemories.answers[200], { body: list }),
  }
}
