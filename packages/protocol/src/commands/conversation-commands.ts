import { AnswerContent, RewindReason } from '@holdfast/conversation'
import * as z from 'zod'
import { OutsideId, SentContent } from '../parts/sent-content.ts'
import { SettingsChanges } from '../parts/settings-changes.ts'

/** What a person calls a conversation. */
export const Title = z.string().trim().min(1).max(200)

/** What `rewind` asks for, beside the conversation. [PRJ6] */
export const rewindFields = {
  commandId: OutsideId,
  /** The last entry kept: 0, or the end of an exchange. */
  toSeq: z.int().nonnegative(),
  reason: RewindReason,
  /** What is asked instead. A retry or redo without it asks again what the first exchange set aside had asked. */
  content: SentContent.exactOptional(),
}

/** What `select-path` asks for. */
export const selectPathFields = {
  commandId: OutsideId,
  /** The last entry of the branch: the end of an exchange. */
  head: z.int().nonnegative(),
}

/** What `fork` asks for. */
export const forkFields = {
  commandId: OutsideId,
  /** The last entry that comes along: the end of an exchange. */
  atSeq: z.int().nonnegative(),
}

/** What `answer-question` asks for, beside the conversation and the question. [TOOL11] */
export const answerQuestionFields = {
  commandId: OutsideId,
  /** `cancel` closes the question without an answer. */
  action: z.enum(['accept', 'decline', 'cancel']),
  /** What was filled in, by the names of the fields. */
  content: AnswerContent.exactOptional(),
}

/** What `change-conversation` asks for; what is absent stays. */
export const changeConversationFields = {
  commandId: OutsideId,
  title: Title.exactOptional(),
  /** True archives it, false brings it back. Less than 8 s after a reset that undoes the reset. [LOG12] */
  archived: z.boolean().exactOptional(),
  settings: SettingsChanges.exactOptional(),
}

/** What `make-checkpoint` asks for. [CHK7] */
export const makeCheckpointFields = {
  commandId: OutsideId,
  /** What its summary is to keep above all. */
  focus: z.string().max(2_000).exactOptional(),
}

/** What `edit-checkpoint` asks for, beside the checkpoint. [CHK7] */
export const editCheckpointFields = {
  commandId: OutsideId,
  summary: z.string().trim().min(1).max(200_000),
}

/** What erasing asks for. [LOG9] */
export const eraseFields = {
  seqs: z.array(z.int().positive()).min(1).max(1_000),
  /** Whether what the calls of these answers returned and asked goes with them. */
  results: z.boolean().default(false),
  /** Says what would be erased, and erases nothing. */
  dryRun: z.boolean().default(false),
  /** Shown where the words stood. */
  reason: z.string().trim().min(1).max(500),
}
