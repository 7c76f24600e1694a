import type { ConversationListing } from '@holdfast/conversation'
import type { Admitted, Answered, CanvasAnswer, Rewound, StopAnswer } from '@holdfast/engine'
import type { AskedCommand, CommandFrame, CommandReply, ProblemCode } from '@holdfast/protocol'

/** The name of a command. */
export type CommandName = AskedCommand['name']

/** The name of a command that a socket takes. */
export type FrameName = CommandFrame['name']

/** What each command asks for, by name. */
export type Asked = { readonly [Name in CommandName]: Extract<AskedCommand, { name: Name }> }

/** What each command that a socket takes is answered with; the row of the conversation where it has no answer of its own. */
export interface CommandAnswers {
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
  readonly 'add-rule': { readonly ruleId: string }
  readonly 'pin-message': ConversationListing
  readonly 'exclude-result': ConversationListing
  readonly 'switch-auto-fix': ConversationListing
  readonly 'edit-checkpoint': ConversationListing
  readonly 'undo-checkpoint': ConversationListing
  readonly rewind: Rewound
  readonly 'select-path': ConversationListing
  readonly fork: ConversationListing
  readonly reset: ConversationListing
  readonly 'change-conversation': ConversationListing
  readonly 'change-canvas': CanvasAnswer
}

/** A command that was carried out. One that no socket takes has no more than the answer of its route. */
export type Carried<Name extends CommandName> = CarriedBy[Name]

type CarriedBy = {
  readonly [Name in CommandName]: Name extends FrameName ? CarriedFrame<Name> : CarriedRequest<Name>
}

/** A command that was carried out, as a socket tells of it. */
export interface CarriedFrame<Name extends FrameName> extends CarriedRequest<Name> {
  /** The conversation that it leads to. */
  readonly conversationId: string
  /** Where its effect is, or where the log ended with it. */
  readonly seq: number
  readonly answer: CommandAnswers[Name]
  /** Why it changed nothing, for a socket; null where it did. */
  readonly nothingDone: { readonly code: ProblemCode; readonly message: string } | null
}

/** A command that was carried out, as its route tells of it. */
export interface CarriedRequest<Name extends CommandName> {
  /** What its route answers; null where it has none. */
  readonly reply: [CommandReply<Name>] extends [never] ? null : () => Promise<CommandReply<Name>>
}
