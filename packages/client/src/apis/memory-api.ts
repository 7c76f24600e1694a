import { API_PATH, type BodyOf, type MemoriesAnswer, type MemoryRow, routes } from '@holdfast/protocol'
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
  importList(list: { readonly memories: readonly unknown[] }): Promise<BodyOf<typeof routes.importMemories, 200>>
}

/** The routes about memories of a server. */
export function createMemoryApi(ask: HttpApi): MemoryApi {
  return {
    exportAddress: `${API_PATH}/memories`,
    list: (query) =>
      ask(routes.listMemories, routes.listMemories.answers[200], query === '' ? {} : { query: { query } }),
    add: async (text) => (await ask(routes.createMemory, routes.createMemory.answers[201], { body: { text } })).memory,
    async change(memoryId, body) {
      const answer = await ask(routes.changeMemory, routes.changeMemory.answers[200], { params: { memoryId }, body })
      return answer.memory
    },
    async remove(memoryId) {
      await ask(routes.deleteMemory, routes.deleteMemory.answers[200], { params: { memoryId } })
    },
    removeAll: async () => (await ask(routes.deleteMemories, routes.deleteMemories.answers[200], {})).deletedCount,
    async setOn(isOn) {
      await ask(routes.changeMemories, routes.changeMemories.answers[200], { body: { isOn } })
    },
    importList: (list) => ask(routes.importMemories, routes.importMemories.answers[200], { body: list }),
  }
}
