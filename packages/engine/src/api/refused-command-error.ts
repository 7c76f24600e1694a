import { type AnswerProblem, type CanvasRefusalCode, problemWords, type SettingProblem } from '@holdfast/conversation'
import type { GrantReach } from '@holdfast/tool'

/** Why a command was refused, in words that a program can compare. */
export type RefusalCode =
  | CanvasRefusalCode
  | 'answer-refused'
  | 'conflict'
  | 'input-not-waiting'
  | 'no-base'
  | 'path-refused'
  | 'rule-refused'
  | 'run-active'
  | 'scope-not-offered'
  | 'settings-contradict'
  | 'unknown-agent'
  | 'unknown-checkpoint'
  | 'unknown-conversation'
  | 'unknown-message'
  | 'unknown-model'
  | 'unknown-permission-request'
  | 'unknown-preset'
  | 'unknown-question'
  | 'unknown-result'
  | 'workspace-not-permitted'

/** What a refusal is about, by what it names. */
export type RefusalIds = Readonly<Record<string, string | number | null>>

/** A command was refused: nothing was changed, and the message says what is so and what to do. */
export class RefusedCommandError extends Error {
  override readonly name: string = 'RefusedCommandError'
  readonly code: RefusalCode
  readonly ids: RefusalIds

  constructor(code: RefusalCode, message: string, ids: RefusalIds) {
    super(message)
    this.code = code
    this.ids = ids
  }
}

/** The input was sent or removed meanwhile. */
export function inputNotWaiting(inputId: string): RefusedCommandError {
  return new RefusedCommandError('input-not-waiting', `Input ${inputId} was already sent or removed`, { inputId })
}

/** There is nothing that the files of a conversation could be compared with. [WS9] */
export function noBase(conversationId: string): RefusedCommandError {
  const words = `The conversation ${conversationId} has no worktree of its own, so there is no base to compare with; look at the changes of the conversation`
  return new RefusedCommandError('no-base', words, { conversationId })
}

/** There is no such request for permission, or another person was asked. */
export function unknownPermissionRequest(requestId: string): RefusedCommandError {
  return new RefusedCommandError('unknown-permission-request', `There is no request for permission ${requestId}`, {
    requestId,
  })
}

/** A yes cannot reach so far for this tool. [PERM5] */
export function scopeNotOffered(scope: GrantReach, tool: string): RefusedCommandError {
  const words = `Scope ${scope} is not offered for ${tool}: it may destroy something, or its input is too long. Allow one call.`
  return new RefusedCommandError('scope-not-offered', words, { scope, tool })
}

/** There is no such model. */
export function unknownModel(modelId: string): RefusedCommandError {
  return new RefusedCommandError('unknown-model', `There is no model ${modelId}`, { modelId })
}

/** There is no such agent, or it is another person's. */
export function unknownAgent(agentId: string): RefusedCommandError {
  return new RefusedCommandError('unknown-agent', `There is no agent ${agentId}`, {
    agentId,
  })
}

/** There is no such preset, or it is another person's. */
export function unknownPreset(presetId: string): RefusedCommandError {
  return new RefusedCommandError('unknown-preset', `There is no preset ${presetId}`, { presetId })
}

/** The workspace, or the folder in it, is not one that the owner of the conversation may use, or is not there. [WS1, WS7] */
export function workspaceNotPermitted(workspace: string): RefusedCommandError {
  const words =
    `${workspace} may not be used here: there is no such workspace, it is not open to you, or its folder is gone. ` +
    'See GET /workspaces for those that you may use; a folder has to lie inside the workspace.'
  return new RefusedCommandError('workspace-not-permitted', words, { workspace })
}

/** Settings cannot hold together, alone or with the model that answers: `problems` says which, for words in any language. [WIN10] */
export class SettingsContradictError extends RefusedCommandError {
  override readonly name = 'SettingsContradictError'
  readonly problems: readonly SettingProblem[]

  constructor(problems: readonly SettingProblem[]) {
    super('settings-contradict', problemWords(problems), {})
    this.problems = problems
  }
}

/** The path cannot go there. [PRJ6] */
export function pathRefused(seq: number, why: string): RefusedCommandError {
  return new RefusedCommandError('path-refused', `The path cannot go to entry ${seq}: ${why}`, { seq })
}

/** The entry is no checkpoint that counts. */
export function unknownCheckpoint(checkpointSeq: number): RefusedCommandError {
  const words = `Entry ${checkpointSeq} is no checkpoint that counts`
  return new RefusedCommandError('unknown-checkpoint', words, { checkpointSeq })
}

/** The entry is no message that a person wrote. */
export function unknownMessage(messageSeq: number): RefusedCommandError {
  const words = `Entry ${messageSeq} is no message of a person; pin one of those`
  return new RefusedCommandError('unknown-message', words, { messageSeq })
}

/** The entry is no result of a tool call. */
export function unknownResult(resultSeq: number): RefusedCommandError {
  const words = `Entry ${resultSeq} is no result of a tool call; leave out one of those`
  return new RefusedCommandError('unknown-result', words, { resultSeq })
}

/** There is no such question, or another person was asked. */
export function unknownQuestion(questionId: string): RefusedCommandError {
  return new RefusedCommandError('unknown-question', `There is no question ${questionId}`, { questionId })
}

/** An answer does not fit what was asked. [TOOL11] */
export function answerRefused(questionId: string, problems: readonly AnswerProblem[]): RefusedCommandError {
  const words = problems.map(({ field, message }) => `${field}: ${message}`).join('; ')
  return new RefusedCommandError('answer-refused', `The answer does not fit the question: ${words}`, { questionId })
}

/** A rule cannot hold as it is written. */
export function ruleRefused(tool: string, why: string): RefusedCommandError {
  return new RefusedCommandError('rule-refused', why, { tool })
}
