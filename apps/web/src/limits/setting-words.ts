import type { SettingKey, SettingSection } from '@holdfast/conversation'
import type { PlainKey } from '../shared/language/say.ts'

/** What each setting is called, and why one would change it. */
export const SETTING_WORDS: Readonly<Record<SettingKey, { readonly name: PlainKey; readonly why: PlainKey }>> = {
  thinking: { name: 'limits.thinking', why: 'limits.thinking-why' },
  maxOutputTokens: { name: 'limits.maxOutputTokens', why: 'limits.maxOutputTokens-why' },
  replyShare: { name: 'limits.replyShare', why: 'limits.replyShare-why' },
  checkpointShare: { name: 'limits.checkpointShare', why: 'limits.checkpointShare-why' },
  checkpointMostTokens: { name: 'limits.checkpointMostTokens', why: 'limits.checkpointMostTokens-why' },
  keptExchanges: { name: 'limits.keptExchanges', why: 'limits.keptExchanges-why' },
  keptShare: { name: 'limits.keptShare', why: 'limits.keptShare-why' },
  carriedShare: { name: 'limits.carriedShare', why: 'limits.carriedShare-why' },
  summaryTokens: { name: 'limits.summaryTokens', why: 'limits.summaryTokens-why' },
  stepsPerRun: { name: 'limits.stepsPerRun', why: 'limits.stepsPerRun-why' },
  callsPerStep: { name: 'limits.callsPerStep', why: 'limits.callsPerStep-why' },
  identicalCalls: { name: 'limits.identicalCalls', why: 'limits.identicalCalls-why' },
  firstEventMs: { name: 'limits.firstEventMs', why: 'limits.firstEventMs-why' },
  betweenEventsMs: { name: 'limits.betweenEventsMs', why: 'limits.betweenEventsMs-why' },
  drainMs: { name: 'limits.drainMs', why: 'limits.drainMs-why' },
  toolTimeoutMs: { name: 'limits.toolTimeoutMs', why: 'limits.toolTimeoutMs-why' },
  toolGraceMs: { name: 'limits.toolGraceMs', why: 'limits.toolGraceMs-why' },
  toolOutputChars: { name: 'limits.toolOutputChars', why: 'limits.toolOutputChars-why' },
  canvasElements: { name: 'limits.canvasElements', why: 'limits.canvasElements-why' },
  canvasElementBytes: { name: 'limits.canvasElementBytes', why: 'limits.canvasElementBytes-why' },
  canvasBytes: { name: 'limits.canvasBytes', why: 'limits.canvasBytes-why' },
  memoryNoteTokens: { name: 'limits.memoryNoteTokens', why: 'limits.memoryNoteTokens-why' },
  mostMemories: { name: 'limits.mostMemories', why: 'limits.mostMemories-why' },
  memoryChars: { name: 'limits.memoryChars', why: 'limits.memoryChars-why' },
  autoTitles: { name: 'limits.autoTitles', why: 'limits.autoTitles-why' },
  titleChars: { name: 'limits.titleChars', why: 'limits.titleChars-why' },
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
