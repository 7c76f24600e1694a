import type { Canvases } from '../canvas/canvas.ts'
import type { ConversationSettings } from '../entries/conversation-entries.ts'
import type { EntryOf } from '../entry.ts'
import type { Projection } from '../projection.ts'
import { type ActivePath, activePath } from './active-path.ts'
import { type Archived, archived } from './archived.ts'
import { type AutoFix, autoFix } from './auto-fix.ts'
import { canvases } from './canvases.ts'
import { exclusions } from './exclusions.ts'
import { foundTools } from './found-tools.ts'
import { type Ledger, ledger } from './ledger.ts'
import { type Notice, notices } from './notices.ts'
import { type PendingPermission, pendingPermissions } from './pending-permissions.ts'
import { type PendingQuestion, pendingQuestions } from './pending-questions.ts'
import { type ConversationRule, permissionRules } from './permission-rules.ts'
import { pins } from './pins.ts'
import { type Queue, queue } from './queue.ts'
import { type RunState, runState } from './run-state.ts'
import { type SettingLayers, settingLayers, settingsInForce } from './setting-layers.ts'
import { strangersAt, strangersFrom } from './strangers-at.ts'
import { type Title, title } from './title.ts'
import { type ToolDefinitionsPlace, toolDefinitions } from './tool-definitions.ts'
import { type ConversationToolMetrics, toolMetrics } from './tool-metrics.ts'

/** All that must be known of a conversation when it opens, whatever its length. */
export interface Overview {
  readonly ownerId: string | null
  /** How many sub-agents stand above this conversation; 0 for a person's own. */
  readonly depth: number
  /** The conversation whose agent gave this one its task; null for a person's own. [AGENT70] */
  readonly callerId: string | null
  /** The schedule whose run began it; null for any other. [SCHED52] */
  readonly scheduleId: string | null
  readonly head: number
  readonly path: ActivePath
  readonly title: Title
  /** Null while it is a current conversation. */
  readonly archived: Archived | null
  /** What is set for the conversation itself, and what its agent sets. */
  readonly settingLayers: SettingLayers
  /** The settings that hold, of both. */
  readonly settings: ConversationSettings
  readonly queue: Queue
  readonly runState: RunState
  readonly pendingPermissions: readonly PendingPermission[]
  readonly pendingQuestions: readonly PendingQuestion[]
  readonly permissionRules: readonly ConversationRule[]
  /** The messages that every checkpoint carries over, by `seq`. [CHK4] */
  readonly pins: readonly number[]
  /** The results that a person left out of requests, by `seq`. [TOOL10] */
  readonly exclusions: readonly number[]
  readonly toolDefinitions: ToolDefinitionsPlace | null
  /** Tools that the model has found, in mode `auto`. */
  readonly foundTools: readonly string[]
  readonly ledger: Ledger
  readonly toolMetrics: Readonly<Record<string, ConversationToolMetrics>>
  readonly notices: readonly Notice[]
  /** By agent. [CANVAS3] */
  readonly canvases: Canvases
  /** When the newest call began that may have brought what strangers wrote; null before the first. */
  readonly strangersAt: number | null
  /** Where that came from, for people. */
  readonly strangersFrom: string | null
  /** Repairs of a preview that nobody asks for one by one. [WS4] */
  readonly autoFix: AutoFix
}

/** The projections that are kept as snapshots. The transcript and the window are read from the log's end. */
export const overview: Projection<Overview> = {
  name: 'overview',
  version: 18,
  initial: {
    ownerId: null,
    depth: 0,
    callerId: null,
    scheduleId: null,
    head: 0,
    path: activePath.initial,
    title: title.initial,
    archived: archived.initial,
    settingLayers: settingLayers.initial,
    settings: settingsInForce(settingLayers.initial),
    queue: queue.initial,
    runState: runState.initial,
    pendingPermissions: pendingPermissions.initial,
    pendingQuestions: pendingQuestions.initial,
    permissionRules: permissionRules.initial,
    pins: pins.initial,
    exclusions: exclusions.initial,
    toolDefinitions: toolDefinitions.initial,
    foundTools: foundTools.initial,
    ledger: ledger.initial,
    toolMetrics: toolMetrics.initial,
    notices: notices.initial,
    canvases: canvases.initial,
    strangersAt: strangersAt.initial,
    strangersFrom: strangersFrom.initial,
    autoFix: autoFix.initial,
  },
  reduce(state, entries) {
    const last = entries.at(-1)
    if (!last) return state
    const layers = settingLayers.reduce(state.settingLayers, entries)
    const created = entries[0]?.type === 'conversation-created' ? entries[0] : null
    return {
      ...(created
        ? { ownerId: created.ownerId, ...callerOf(created), scheduleId: scheduleOf(created) }
        : {
            ownerId: state.ownerId,
            depth: state.depth,
            callerId: state.callerId,
            scheduleId: state.scheduleId,
          }),
      head: last.seq,
      path: activePath.reduce(state.path, entries),
      title: title.reduce(state.title, entries),
      archived: archived.reduce(state.archived, entries),
      settingLayers: layers,
      settings: layers === state.settingLayers ? state.settings : settingsInForce(layers),
      queue: queue.reduce(state.queue, entries),
      runState: runState.reduce(state.runState, entries),
      pendingPermissions: pendingPermissions.reduce(state.pendingPermissions, entries),
      pendingQuestions: pendingQuestions.reduce(state.pendingQuestions, entries),
      permissionRules: permissionRules.reduce(state.permissionRules, entries),
      pins: pins.reduce(state.pins, entries),
      exclusions: exclusions.reduce(state.exclusions, entries),
      toolDefinitions: toolDefinitions.reduce(state.toolDefinitions, entries),
      foundTools: foundTools.reduce(state.foundTools, entries),
      ledger: ledger.reduce(state.ledger, entries),
      toolMetrics: toolMetrics.reduce(state.toolMetrics, entries),
      notices: notices.reduce(state.notices, entries),
      canvases: canvases.reduce(state.canvases, entries),
      strangersAt: strangersAt.reduce(state.strangersAt, entries),
      strangersFrom: strangersFrom.reduce(state.strangersFrom, entries),
      autoFix: autoFix.reduce(state.autoFix, entries),
    }
  },
}

function callerOf({ origin }: EntryOf<'conversation-created'>): Pick<Overview, 'depth' | 'callerId'> {
  return origin.type === 'sub-agent'
    ? { depth: origin.depth, callerId: origin.conversationId }
    : { depth: 0, callerId: null }
}

function scheduleOf({ actor }: EntryOf<'conversation-created'>): string | null {
  return actor.type === 'schedule' ? actor.scheduleId : null
}
