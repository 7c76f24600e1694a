import { AbstractChat, type ChatState, DefaultChatTransport, type UIMessage } from 'ai'

/** The client behind `useChat`, without React. */
export class PlainChat extends AbstractChat<UIMessage> {}

/** One on a conversation of a server. */
export function createChat({
  url,
  token,
  id,
}: {
  readonly url: string
  readonly token: string
  readonly id: string
}): PlainChat {
  const state: ChatState<UIMessage> = {
    status: 'ready',
    error: undefined,
    messages: [],
    pushMessage: (message) => {
      state.messages = [...state.messages, message]
    },
    popMessage: () => {
      state.messages = state.messages.slice(0, -1)
    },
    replaceMessage: (index, message) => {
      state.messages = state.messages.with(index, message)
    },
    snapshot: (value) => structuredClone(value),
  }
  const headers = { authorization: `Bearer ${token}` }
  const api = `${url}/api/v1/interop/ai-sdk/chat`
  return new PlainChat({ id, state, transport: new DefaultChatTransport({ api, headers }) })
}
