import type { CanvasAct, Client } from '@holdfast/client'
import type { CanvasElement, ContentOf } from '@holdfast/conversation'
import { answerOf } from '../shared/ask-server.ts'
import { errorText } from '../shared/problem-words.ts'

/** What a person can do on the canvas that is shown. */
export interface CanvasActs {
  /** Whether what is clicked reaches the server now; nothing is kept to be sent later. */
  readonly isOnline: boolean
  /** Where it is; null for what is not there yet, or not any more. */
  readonly conversationId: string | null
  /** @returns why it was not done, or null. */
  act(act: Omit<CanvasAct, 'agentId'>): Promise<string | null>
  /** Lets the element go along with the person's next words. */
  ask(elementId: string): void
  /** Loads what media elements show; null where nothing is loaded. */
  readonly media: MediaLoader | null
  /** Reads pages that agents wrote; null where nothing is opened. */
  readonly pages: PageReader | null
}

/** The way to the sources of generated pages. [PREV11] */
export interface PageReader {
  readonly conversationId: string
  /** The source that a page had at an entry; null where it is not there. @throws {RequestFailedError} */
  read(elementId: string, seq: number): Promise<string | null>
}

/** The way to what a media element shows. [CANVAS8] */
export interface MediaLoader {
  /** Where it is at the server: a file of the conversation, or what comes through it from elsewhere. */
  targetOf(element: CanvasElement & ContentOf<'media'>): string
  /** Where the browser gets it by itself, for a minute. [SEC19] @throws {RequestFailedError} */
  ticketed(target: string): Promise<string>
  /** Why it could not be loaded, in words; null where the browser did not know what it is. */
  whyNot(target: string): Promise<string | null>
}

/** Makes them for the canvas of one agent. */
export function createCanvasActs(options: {
  readonly client: Client
  readonly conversationId: string
  readonly agentId: string
  readonly isOnline: boolean
  readonly ask: (elementId: string) => void
}): CanvasActs {
  const { client, conversationId, agentId, isOnline, ask } = options
  return {
    isOnline,
    conversationId,
    ask,
    media: {
      targetOf: ({ id, attachmentId }) =>
        attachmentId === undefined
          ? client.canvas(conversationId).mediaAddress({ agentId, elementId: id })
          : client.attachments.addressOf(attachmentId),
      ticketed: client.ticketed,
      async whyNot(target) {
        const failure = await client.whyNotLoaded(target)
        return failure === null ? null : errorText(failure)
      },
    },
    pages: {
      conversationId,
      async read(elementId, seq) {
        const { elements } = await client.canvas(conversationId).readAt({ agentId, seq })
        const page = elements.find(({ id }) => id === elementId)
        return page?.type === 'page' ? page.html : null
      },
    },
    async act(act) {
      const { problem } = await answerOf(client.canvas(conversationId).act({ ...act, agentId }))
      return problem
    },
  }
}
