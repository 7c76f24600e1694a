import type { SettingKey, SettingSection } from '@holdfast/conversation'
import type { PlainKey } from '../shared/language/say.ts'

/** What each setting is called, and why one would change it. */
export const SETTING_WORDS: Readonly<Record<SettingKey, { readonly name: PlainKey; readonly why: PlainKey }>> = {
  thinking: { name: 'limits.thinking', why: 'limits.thinking-why' },
  maxOutputTokens: { name: 'limits.longest-answer', why: 'limits.longest-answer-why' },
  replyShare: { name: 'limits.kept-for-the-answer', why: 'limits.kept-for-the-answer-why' },
  checkpointShare: { name: 'limits.summarise-at', why: 'limits.summarise-at-why' },
  checkpointMostTokens: { name: 'limits.summarise-at-the-latest', why: 'limits.summarise-at-the-latest-why' },
  keptExchanges: { name: 'limits.exchanges-kept', why: 'limits.exchanges-kept-why' },
  keptShare: { name: 'limits.share-kept', why: 'limits.share-kept-why' },
  carriedShare: { name: 'limits.share-carried-over', why: 'limits.share-carried-over-why' },
  summaryTokens: { name: 'limits.length-of-a-summary', why: 'limits.length-of-a-summary-why' },
  mapTokens: { name: 'limits.map-in-a-request', why: 'limits.map-in-a-request-why' },
  stepsPerRun: { name: 'limits.steps-of-a-turn', why: 'limits.steps-of-a-turn-why' },
  callsPerStep: { name: 'limits.calls-of-a-step', why: 'limits.calls-of-a-step-why' },
  identicalCalls: { name: 'limits.identical-calls', why: 'limits.identical-calls-why' },
  answerChars: { name: 'limits.size-of-an-answer', why: 'limits.size-of-an-answer-why' },
  firstEventMs: { name: 'limits.wait-for-an-answer', why: 'limits.wait-for-an-answer-why' },
  betweenEventsMs: { name: 'limits.wait-in-an-answer', why: 'limits.wait-in-an-answer-why' },
  drainMs: { name: 'limits.wait-after-a-stop', why: 'limits.wait-after-a-stop-why' },
  toolTimeoutMs: { name: 'limits.time-of-a-call', why: 'limits.time-of-a-call-why' },
  toolGraceMs: { name: 'limits.grace-of-a-call', why: 'limits.grace-of-a-call-why' },
  toolOutputChars: { name: 'limits.output-of-a-call', why: 'limits.output-of-a-call-why' },
  diagnostics: { name: 'limits.new-errors', why: 'limits.new-errors-why' },
  commandNetwork: { name: 'limits.network-of-commands', why: 'limits.network-of-commands-why' },
  agentModels: { name: 'limits.models-of-agents', why: 'limits.models-of-agents-why' },
  mostWorktrees: { name: 'limits.worktrees', why: 'limits.worktrees-why' },
  worktreeBytes: { name: 'limits.size-of-worktrees', why: 'limits.size-of-worktrees-why' },
  canvasElements: { name: 'limits.elements-of-a-canvas', why: 'limits.elements-of-a-canvas-why' },
  canvasElementBytes: { name: 'limits.size-of-an-element', why: 'limits.size-of-an-element-why' },
  canvasBytes: { name: 'limits.size-of-a-canvas', why: 'limits.size-of-a-canvas-why' },
  memoryNoteTokens: { name: 'limits.memories-in-a-request', why: 'limits.memories-in-a-request-why' },
  mostMemories: { name: 'limits.memories-of-a-person', why: 'limits.memories-of-a-person-why' },
  memoryChars: { name: 'limits.length-of-a-memory', why: 'limits.length-of-a-memory-why' },
  autoTitles: { name: 'limits.titles-by-themselves', why: 'limits.titles-by-themselves-why' },
  titleChars: { name: 'limits.length-of-a-title', why: 'limits.length-of-a-title-why' },
}

/** The parts of the list, in their order. */
export const SECTION_WORDS: Readonly<Record<SettingSection, PlainKey>> = {
  model: 'limits.section-model',
  context: 'limits.section-context',
  run: 'limits.section-run',
  tools: 'limits.section-tools',
  canvas: 'limits.section-canvas',
  memories: 'limits.section-memories',
  titles: 'limits.section-titles',
}
