import * as z from 'zod'
import * as agent from './entries/agent-entries.ts'
import * as autoFix from './entries/auto-fix-entries.ts'
import * as context from './entries/context-entries.ts'
import * as conversation from './entries/conversation-entries.ts'
import * as input from './entries/input-entries.ts'
import * as ledger from './entries/ledger-entries.ts'
import * as path from './entries/path-entries.ts'
import * as question from './entries/question-entries.ts'
import * as run from './entries/run-entries.ts'
import * as state from './entries/state-entries.ts'
import * as tool from './entries/tool-entries.ts'
import type { Position } from './envelope.ts'

/** A fact that has no place in a log yet. One schema for each kind; the log takes nothing else. */
export const NewEntry = z.discriminatedUnion('type', [
  conversation.ConversationCreated,
  conversation.SettingsChanged,
  conversation.TitleChanged,
  conversation.ConversationArchived,
  conversation.ConversationRestored,
  input.InputAdmitted,
  input.InputChanged,
  input.InputRemoved,
  input.QueueHeld,
  input.QueueReleased,
  run.RunStarted,
  run.UserMessageSent,
  run.StepStarted,
  run.StepFinished,
  run.StepFailed,
  run.StopRequested,
  run.RunFinished,
  run.NoticeRaised,
  tool.ToolCallStarted,
  tool.ToolCallSettled,
  tool.ToolResultLate,
  tool.PermissionRequested,
  tool.PermissionSettled,
  tool.PermissionRuleChanged,
  question.QuestionAsked,
  question.QuestionSettled,
  tool.ToolsChanged,
  context.CheckpointMade,
  context.CheckpointUndone,
  context.PinChanged,
  context.ExclusionChanged,
  context.WindowMoved,
  context.ContextNoted,
  context.StopNoted,
  path.PathRewound,
  path.PathSelected,
  ledger.UsageRecorded,
  state.CanvasChanged,
  state.FilesChanged,
  state.ChangesDecided,
  state.MemoryChanged,
  autoFix.AutoFixChanged,
  agent.AgentSwitched,
  state.AgentAttached,
  state.AgentDetached,
  state.Imported,
  state.BodyErased,
])
export type NewEntry = z.infer<typeof NewEntry>

/** A fact at its place in the log. Never changed, never removed. [LOG1] */
export type Entry = NewEntry & Position

/** The kinds of entries. */
export type EntryType = Entry['type']

/** The entry of one kind. */
export type EntryOf<Type extends EntryType> = Extract<NewEntry, { type: Type }> & Position

/** Every kind of entry, in the order of the glossary. */
export const ENTRY_TYPES: readonly EntryType[] = NewEntry.options.map((option) => option.shape.type.value)
