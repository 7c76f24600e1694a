import type { ConversationIndex, ConversationListing } from '@holdfast/conversation'

const PAGE = 200

/** All conversations of a person: the current ones first, then the archived ones, each by their last change. */
export async function* conversationsOf(
  store: Pick<ConversationIndex, 'listConversations'>,
  ownerId: string,
): AsyncIterable<ConversationListing> {
  for (const archived of [false, true]) {
    let before: ConversationListing | undefined
    do {
      const page = await store.listConversations({ ownerId, archived, limit: PAGE, ...(before ? { before } : {}) })
      yield* page
      before = page.length === PAGE ? page.at(-1) : undefined
    } while (before)
  }
}
