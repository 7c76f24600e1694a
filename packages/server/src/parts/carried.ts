import type { ConversationListing } from '@holdfast/conversation'
import type { Admitted, Answered, CanvasAnswer, Rewound, StopAnswer } from '@holdfast/engine'
import type { BodyOf, CommandFrame, ProblemCode, Route, StatusOf } from '@holdfast/protocol'

/** The name of a command. */
export type CommandName = CommandFrame['name']

/** The frames of the commands, by name. */
export type Frames = { readonly [Name in CommandName]: Extract<CommandFrame, { name: Name }> }

/** What each command is answered with; the row of the conversation that it leads to where it has no answer of its own. */
export interface CommandAnswers extends Record<CommandName, unknown> {
  readonly 'create-conversation': ConversationListing
  readonly 'send-message': Admitted
  readonly 'stop-run': StopAnswer
  readonly 'change-input': ConversationListing
  readonly 'remove-input': ConversationListing
  readonly 'send-input-now': ConversationListing
  readonly 'hold-queue': ConversationListing
  readonly 'release-queue': ConversationListing
  readonly 'answer-permission': Answered
  readonly 'answer-question': Answered
  readonly 'change-settings': ConversationListing
  readonly 'revoke-rule': ConversationListing
  readonly 'pin-message': ConversationListing
  readonly 'exclude-result': ConversationListing
  readonly rewind: Rewound
  readonly 'select-path': ConversationListing
  readonly fork: ConversationListing
  readonly reset: ConversationListing
  readonly 'change-conversation': ConversationListing
  readonly 'change-canvas': CanvasAnswer
}

/** A command that was carried out. */
export interface Carried<Answer> {
  /** The conversation that it leads to. */
  readonly conversationId: string
  /** Where its effect is, or where the log ended with it. */
  readonly seq: number
  readonly answer: Answer
  /** Why it changed nothing, for a socket; null where it did. */
  readonly nothingDone: { readonly code: ProblemCode; readonly message: string } | null
  /** What its route answers. */
  readonly reply: () => Promise<Reply>
}

/** The answer of a route. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

/** An answer that the route has. */
export function replyOf<Known extends Route, Status extends StatusOf<Known>>(
  _route: Known,
  status: Status,
  body: BodyOf<Known, Status>,
): Reply {
  return { status, body }
}
