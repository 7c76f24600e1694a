import { Chat as Chat7 } from '@ai-sdk/react'
import {
  lastAssistantMessageIsCompleteWithApprovalResponses as answered7,
  DefaultChatTransport as Transport7,
  type UIMessage as UIMessage7,
} from 'ai'
import { Chat as Chat6 } from 'ai-sdk-react6'
import {
  lastAssistantMessageIsCompleteWithApprovalResponses as answered6,
  DefaultChatTransport as Transport6,
  type UIMessage as UIMessage6,
} from 'ai6'
import { type ServedChat, TOKEN } from './served-chat.ts'

/** What the tests use of a client, whichever version it has. */
export type ChatClient = Pick<
  Chat6<UIMessage6> | Chat7<UIMessage7>,
  'messages' | 'status' | 'error' | 'sendMessage' | 'regenerate' | 'resumeStream' | 'stop' | 'addToolApprovalResponse'
>

/** The clients of the versions that are supported: the state behind `useChat`, with its own transport. */
export const CLIENTS: Readonly<Record<string, (served: ServedChat, id: string) => ChatClient>> = {
  'version 6': (served, id) =>
    new Chat6({
      id,
      transport: new Transport6({ api: apiOf(served), headers }),
      sendAutomaticallyWhen: answered6,
    }),
  'version 7': (served, id) =>
    new Chat7({
      id,
      transport: new Transport7({ api: apiOf(served), headers }),
      sendAutomaticallyWhen: answered7,
    }),
}

const headers = { authorization: `Bearer ${TOKEN}` }

const apiOf = ({ url }: ServedChat): string => `${url}/api/v1/interop/ai-sdk/chat`

/** The text of a message, its parts joined. */
export function textOf(message: ChatClient['messages'][number] | undefined): string {
  return message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''
}
