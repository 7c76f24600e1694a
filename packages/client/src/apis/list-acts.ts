import type { SearchHit } from '@holdfast/conversation'
import { type AlwaysRule, type ConversationRow, ownRoutes } from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** What is done to conversations from outside them. */
export interface ListActs {
  /** Gives a conversation a title, archives it, or brings it back. @throws {RequestFailedError} */
  changeConversation(conversationId: string, change: ConversationChange): Promise<void>
  /** Makes a conversation that begins with this one's part up to the end of an exchange. @throws {RequestFailedError} */
  forkConversation(conversationId: string, atSeq: number): Promise<string>
  /** Archives a conversation and begins another with its settings; 8 s long, bringing it back undoes that. [LOG12] @throws {RequestFailedError} */
  resetConversation(conversationId: string): Promise<string>
  /** Where words stand in the user's conversations. @throws {RequestFailedError} */
  search(words: string): Promise<readonly SearchHit[]>
  /** Says that the user has read up to an entry; the mark never goes back. @throws {RequestFailedError} */
  markRead(conversationId: string, seq: number): Promise<void>
  /** The archived conversations that changed last. @throws {RequestFailedError} */
  listArchived(): Promise<readonly ConversationRow[]>
  /** Deletes a conversation for good. @returns the memories that came from it and are still there. @throws {RequestFailedError} */
  deleteConversation(conversationId: string): Promise<readonly string[]>
  /** The rules that hold in all conversations. [PERM5] @throws {RequestFailedError} */
  listAlwaysRules(): Promise<readonly AlwaysRule[]>
  /** Takes such a rule back. @throws {RequestFailedError} */
  revokeAlwaysRule(ruleId: string): Promise<void>
}

/** What is to be changed; what is absent stays. */
export interface ConversationChange {
  readonly title?: string
  readonly archived?: boolean
}

/** What they need. */
export interface ListActsDeps {
  readonly ask: HttpApi
  readonly newId: () => string
  /** Takes a row that was answered. */
  onRow(row: ConversationRow): void
  /** Takes note that a conversation is deleted. */
  onDeleted(conversationId: string): void
}

/** Makes them. */
export function createListActs({ ask, newId, onRow, onDeleted }: ListActsDeps): ListActs {
  return {
    async changeConversation(id, change) {
      const { changeConversation: route } = ownRoutes
      onRow(await ask(route, route.answers[200], { params: { id }, body: { commandId: newId(), ...change } }))
    },
    async forkConversation(id, atSeq) {
      const { fork: route } = ownRoutes
      const row = await ask(route, route.answers[201], { params: { id }, body: { commandId: newId(), atSeq } })
      onRow(row)
      return row.id
    },
    async resetConversation(id) {
      const { reset: route } = ownRoutes
      const row = await ask(route, route.answers[201], { params: { id }, body: { commandId: newId() } })
      onRow(row)
      return row.id
    },
    async search(words) {
      const { search: route } = ownRoutes
      const { hits } = await ask(route, route.answers[200], { query: { q: words } })
      return hits
    },
    async markRead(id, seq) {
      const { markRead: route } = ownRoutes
      await ask(route, route.answers[200], { params: { id }, body: { seq } })
    },
    async listArchived() {
      const { listConversations: route } = ownRoutes
      const { conversations } = await ask(route, route.answers[200], { query: { archived: 'true', limit: '200' } })
      return conversations
    },
    async deleteConversation(id) {
      const { deleteConversation: route } = ownRoutes
      const { memoryIds } = await ask(route, route.answers[200], { params: { id } })
      onDeleted(id)
      return memoryIds
    },
    async listAlwaysRules() {
      const { listPermissionRules: route } = ownRoutes
      return (await ask(route, route.answers[200], {})).rules
    },
    async revokeAlwaysRule(ruleId) {
      const { revokePermissionRule: route } = ownRoutes
      await ask(route, route.answers[200], { params: { ruleId } })
    },
  }
}
