import type { Json } from '@holdfast/conversation'
import { type BodyOf, type CanvasAction, routes } from '@holdfast/protocol'
import type { HttpApi } from './http-api.ts'

/** What a person does to one element; about the whole canvas, the element is `canvas`. */
export interface CanvasAct {
  readonly elementId: string
  readonly action: CanvasAction
  readonly value?: Json
  /** Whose canvas; that of the conversation's agent where it is absent. */
  readonly agentId?: string
}

/** The canvases of one conversation at this end of the line: what is on them is in the conversation's overview. */
export interface ConversationCanvas {
  /** Does it once; nothing is kept to be sent later. @throws {RequestFailedError} */
  act(act: CanvasAct): Promise<BodyOf<typeof routes.changeCanvas, 200>>
}

/** What it needs. */
export interface ConversationCanvasDeps {
  readonly conversationId: string
  readonly ask: HttpApi
  readonly newId: () => string
}

/** Makes it for one conversation. */
export function createConversationCanvas({ conversationId, ask, newId }: ConversationCanvasDeps): ConversationCanvas {
  const { changeCanvas: route } = routes
  return {
    act: ({ elementId, ...act }) =>
      ask(route, route.answers[200], {
        params: { id: conversationId, elementId },
        body: { commandId: newId(), ...act },
      }),
  }
}
