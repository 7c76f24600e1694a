import type { Json } from '@holdfast/conversation'

/**
 * A chunk of a UI message stream, version 1, as far as it is sent here.
 *
 * @see https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 */
export type UiChunk =
  | { readonly type: 'start'; readonly messageId: string; readonly messageMetadata: Json }
  | { readonly type: 'start-step' }
  | { readonly type: 'finish-step' }
  | { readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; readonly id: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | ({ readonly type: 'tool-input-start' } & ToolName)
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | ({ readonly type: 'tool-input-available'; readonly input: Json } & ToolName)
  | ({ readonly type: 'tool-input-error'; readonly input: Json; readonly errorText: string } & ToolName)
  | { readonly type: 'tool-approval-request'; readonly approvalId: string; readonly toolCallId: string }
  | { readonly type: 'tool-output-available'; readonly toolCallId: string; readonly output: Json }
  | { readonly type: 'tool-output-error'; readonly toolCallId: string; readonly errorText: string }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }
  /** How far a running tool is. It is not kept in the message. */
  | {
      readonly type: 'data-progress'
      readonly data: { readonly toolCallId: string; readonly message: string }
      readonly transient: true
    }
  | { readonly type: 'message-metadata'; readonly messageMetadata: Json }
  | { readonly type: 'finish'; readonly finishReason: FinishReason; readonly messageMetadata: Json }
  | { readonly type: 'abort'; readonly reason: string }
  | { readonly type: 'error'; readonly errorText: string }

/** Why a message ended, in the words of the AI SDK. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

/** Clients know no tools of this server by their types: every call is a dynamic one. */
interface ToolName {
  readonly toolCallId: string
  readonly toolName: string
  readonly dynamic: true
}
