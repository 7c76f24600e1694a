import type { ReturnedImage } from '@holdfast/tool'
import type { ConversationCommand } from './command-base.ts'

/** What came of a call that a client ran. */
export interface ClientResult {
  readonly callId: string
  readonly text: string
  readonly isError: boolean
  readonly images: readonly ReturnedImage[]
}

/** Says what came of calls that were handed to a client. [TOOL18] */
export interface AnswerCalls extends ConversationCommand {
  readonly results: readonly ClientResult[]
  /** What becomes of the calls that it has and says nothing of: it may still answer them, or has given them up. */
  readonly others: 'leave' | 'end'
}
