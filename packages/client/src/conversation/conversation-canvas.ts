import { type CanvasElement, ElementContent, type Json } from '@holdfast/conversation'
import {
  API_PATH,
  type BodyOf,
  type CanvasAction,
  type CanvasChanges,
  type CanvasSnapshot,
  ownRoutes,
} from '@holdfast/protocol'
import * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'

/** What a person does to one element; about the whole canvas, the element is `canvas`. */
export interface CanvasAct {
  readonly elementId: string
  readonly action: CanvasAction
  readonly value?: Json
  /** Whose canvas; that of the conversation's agent where it is absent. */
  readonly agentId?: string
}

/** A canvas as it was at an entry. */
export type PastCanvas = Omit<CanvasSnapshot, 'elements'> & { readonly elements: readonly CanvasElement[] }

/** The canvases of one conversation at this end of the line: what is on them is in the conversation's overview. */
export interface ConversationCanvas {
  /** Does it once; nothing is kept to be sent later. @throws {RequestFailedError} */
  act(act: CanvasAct): Promise<BodyOf<typeof ownRoutes.changeCanvas, 200>>
  /** Where the canvas of an agent changed, oldest first. @throws {RequestFailedError} */
  changes(agentId: string): Promise<CanvasChanges>
  /** The canvas of an agent as it was at an entry. @throws {RequestFailedError} */
  readAt(place: { readonly agentId: string; readonly seq: number }): Promise<PastCanvas>
  /** Where what a media element shows comes through the server, for `ticketed`. [CANVAS8] */
  mediaAddress(place: { readonly agentId: string; readonly elementId: string }): string
}

/** What it needs. */
export interface ConversationCanvasDeps {
  readonly conversationId: string
  readonly ask: HttpApi
  readonly newId: () => string
}

/** Makes the canvas of one conversation. */
export function createConversationCanvas({ conversationId, ask, newId }: ConversationCanvasDeps): ConversationCanvas {
  const { changeCanvas, listCanvasChanges, readCanvas } = ownRoutes
  const params = { id: conversationId }
  const path = `${API_PATH}/conversations/${encodeURIComponent(conversationId)}/canvas`
  return {
    mediaAddress: ({ agentId, elementId }) =>
      `${path}/${encodeURIComponent(elementId)}/media?${new URLSearchParams({ agentId }).toString()}`,
    act: ({ elementId, ...act }) =>
      ask(changeCanvas, changeCanvas.answers[200], {
        params: { ...params, elementId },
        body: { commandId: newId(), ...act },
      }),
    changes: (agentId) => ask(listCanvasChanges, listCanvasChanges.answers[200], { params, query: { agentId } }),
    async readAt({ agentId, seq }) {
      const query = { agentId, at: String(seq) }
      const snapshot = await ask(readCanvas, readCanvas.answers[200], { params, query })
      return { ...snapshot, elements: snapshot.elements.map(toElement) }
    },
  }
}

const Frame = z.object({
  id: z.string(),
  number: z.int(),
  pinned: z.boolean(),
  addedSeq: z.int(),
  changed: z.object({ seq: z.int(), byPerson: z.boolean() }),
})

function toElement(sent: CanvasSnapshot['elements'][number]): CanvasElement {
  return { ...ElementContent.parse(sent), ...Frame.parse(sent) }
}
