export type { CallEffect, FileChange, MemoryLogChange } from './call-effect.ts'
export { canonicalJson } from './canonical-json.ts'
export {
  type ArgumentRole,
  isReadOnly,
  type ToolAnnotation,
  type ToolAnnotations,
  type ToolCall,
  type ToolDefinition,
} from './definition.ts'
export { createFindTools, FIND_TOOLS } from './find-tools.ts'
export type { InputCheck, InputIssue } from './input-check.ts'
export { checkRules } from './permission/check-rules.ts'
export {
  decidePermission,
  decideUnattended,
  PERMISSION_ORDER,
  type PermissionDecision,
  type PermissionSource,
} from './permission/decide-permission.ts'
export { exactPattern } from './permission/exact-pattern.ts'
export { isGitsOwn } from './permission/gits-own.ts'
export {
  type Grant,
  type GrantReach,
  type GrantRequest,
  grantFor,
} from './permission/grants.ts'
export type { GuardFinding } from './permission/guards.ts'
export {
  type CallFate,
  type FatedAnswer,
  type LoggedCall,
  mayBeDenied,
  personSaid,
} from './permission/history/logged-call.ts'
export { LOGGED_CALL_LIMITS, type LoggedCalls, loggedCalls } from './permission/history/logged-calls.ts'
export type { PastCall } from './permission/history/past-call.ts'
export { type ReadRule, readRule } from './permission/history/read-rule.ts'
export { type EffectCounts, type RuleTrial, type TriedCall, tryRule } from './permission/history/rule-trial.ts'
export {
  type DismissedRule,
  type RuleSuggestion,
  SUGGESTION_LIMITS,
  type SuggestedRule,
  type SuggestionSources,
  suggestRules,
} from './permission/history/suggest-rules.ts'
export { MalformedRuleError } from './permission/malformed-rule-error.ts'
export type { PermissionCase } from './permission/permission-facts.ts'
export type {
  KeptRule,
  PermissionEffect,
  PermissionMode,
  PermissionRule,
  WrittenRule,
} from './permission/permission-rule.ts'
export {
  createPermissionRules,
  type PermissionPolicy,
  type PermissionRules,
  type PermissionRulesOptions,
  type PermissionSituation,
} from './permission/permission-rules.ts'
export { type ReadWord, readWordsOf } from './permission/read-words.ts'
export { type CallSubject, identicalCalls, recentCallCount } from './permission/repeated-calls.ts'
export { ruleWords } from './permission/rule-words.ts'
export { mayBringStrangers } from './permission/strangers.ts'
export {
  CALL_OVER,
  type LentAnswer,
  type LoanRequest,
  type PersonAtHand,
  type ToolAnswer,
  type ToolQuestion,
} from './person.ts'
export type {
  ChangeDecision,
  ChangeMark,
  HunkState,
  RejectedChange,
  ReviewedFile,
  ReviewedHunk,
  ReviewMarks,
} from './reviewed-change.ts'
export type { BlobSink } from './run/blob-sink.ts'
export {
  type CallLimits,
  type CallResult,
  type CallRun,
  callLimits,
  DEFAULT_LIMITS,
  inputProblem,
  type LateResult,
  runCall,
  settledUnrun,
} from './run/run-call.ts'
export { isToolReturn, type ReturnedImage, type ToolReturn } from './run/tool-return.ts'
export {
  type AskedAbout,
  defineTool,
  type RunTool,
  type Tool,
  type ToolContext,
  type ToolNotice,
  type ToolOptions,
  type ToolSource,
  toolOf,
  toolsOf,
} from './tool.ts'
export { readToolInput, type ToolInput } from './tool-input.ts'
export type { ToolMetrics } from './tool-metrics.ts'
export {
  type AskPerson,
  createToolRegistry,
  type ExecutedCall,
  type RegistryCall,
  type ToolRegistry,
  type ToolRegistryOptions,
} from './tool-registry.ts'
