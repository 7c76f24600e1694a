import {
  type AbstractChat as AbstractChat7,
  lastAssistantMessageIsCompleteWithApprovalResponses as answered7,
  type ChatInit as ChatInit7,
  DefaultChatTransport as Transport7,
  type UIMessage as UIMessage7,
} from 'ai'
import {
  type AbstractChat as AbstractChat6,
  lastAssistantMessageIsCompleteWithApprovalResponses as answered6,
  type ChatInit as ChatInit6,
  DefaultChatTransport as Transport6,
  type UIMessage as UIMessage6,
} from 'ai6'
import { type ServedChat, TOKEN } from './served-chat.ts'

/** What the tests use of a client, whichever version it has. */
export type ChatClient = Pick<
  AbstractChat6<UIMessage6> | AbstractChat7<UIMessage7>,
  'messages' | 'status' | 'error' | 'sendMessage' | 'regenerate' | 'resumeStream' | 'stop' | 'addToolApprovalResponse'
>

interface React6 {
  readonly Chat: new (init: ChatInit6<UIMessage6>) => AbstractChat6<UIMessage6>
}
interface React7 {
  readonly Chat: new (init: ChatInit7<UIMessage7>) => AbstractChat7<UIMessage7>
}

// Their own types bring React's, whose empty stand-ins for the DOM would count for every test of the repository.
const packages = { react6: 'ai-sdk-react6', react7: '@ai-sdk/react' }
const react6: React6 = await import(packages.react6)
const react7: React7 = await import(packages.react7)

/** The clients of the versions that are supported: the state behind `useChat`, with its own transport. */
export const CLIENTS: Readonly<Record<string, (served: ServedChat, id: string) => ChatClient>> = {
  'version 6': (served, id) =>
    new react6.Chat({
      id,
      transport: new Transport6({ api: apiOf(served), headers }),
      sendAutomaticallyWhen: answered6,
    }),
  'version 7': (served, id) =>
    new react7.Chat({
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
