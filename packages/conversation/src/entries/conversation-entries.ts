import * as z from 'zod'
import { entryOf } from '../envelope.ts'
import { Json } from '../json.ts'
import { LedgerTotals } from '../ledger-totals.ts'
import { ownSettingFields } from '../settings/settings.ts'

/** What is set for one conversation. A setting that is absent follows the agent, then the installation. */
export const ConversationSettings = z.object({
  agentId: z.string().exactOptional(),
  modelId: z.string().exactOptional(),
  /** Parameters of the model as the provider names them: temperature, effort, thinking budget. */
  parameters: z.record(z.string(), Json).exactOptional(),
  instructions: z.string().exactOptional(),
  toolMode: z.enum(['auto', 'cached', 'all-on', 'all-off', 'manual']).exactOptional(),
  /** Names of the tools that are on in mode `manual`. */
  includedTools: z.array(z.string()).exactOptional(),
  /** Names of the sources, such as MCP servers, whose tools are off here, whatever the mode. */
  excludedSources: z.array(z.string()).exactOptional(),
  cacheMode: z.enum(['off', 'system', 'cached']).exactOptional(),
  permissionMode: z.enum(['plan', 'ask', 'accept-edits', 'sandboxed', 'bypass']).exactOptional(),
  /** What the conversation may cost in all, in US dollars. [COST7] */
  budgetUsd: z.number().nonnegative().exactOptional(),
  /** The workspace that the tools may touch; absent: the one of the installation, where it has one. [WS7] */
  workspaceId: z.string().exactOptional(),
  /** The worktree of it in which the conversation works; absent: in the workspace itself. [WS7] */
  worktreeId: z.string().exactOptional(),
  /** A folder inside of that, to work in it alone. */
  workspace: z.string().exactOptional(),
  /** `off`: the agent is told no memories here, and saves none. Absent: on. */
  memories: z.enum(['on', 'off']).exactOptional(),
  /** The mode of an external agent by its own name for it, chosen by a person; absent: the one that asks. [AGENT51] */
  externalMode: z.string().min(1).max(200).exactOptional(),
  /** The model of an external agent by its own name for it; absent: the one that it takes by itself. [AGENT51] */
  externalModel: z.string().min(1).max(200).exactOptional(),
  /** Who pays what an external agent asks: its own sign-in, the providers here, or one of them. [AGENT54] */
  paidBy: z
    .string()
    .regex(/^(?:own|providers|provider:.{1,200})$/, { error: 'is own, providers, or provider: with the id of one' })
    .exactOptional(),
  /** What of the table of settings a conversation may set. [WIN10] */
  ...ownSettingFields,
})
export type ConversationSettings = z.infer<typeof ConversationSettings>

/** Where a conversation came from. */
const Origin = z.discriminatedUnion('type', [
  z.object({ type: z.literal('new') }),
  z.object({ type: z.literal('fork'), conversationId: z.string(), seq: z.int().positive() }),
  z.object({ type: z.literal('reset'), conversationId: z.string() }),
  z.object({
    type: z.literal('sub-agent'),
    conversationId: z.string(),
    callId: z.string(),
    /** 1 for the sub-agent of a person's conversation, one more for each further one. */
    depth: z.int().positive().default(1),
  }),
  z.object({ type: z.literal('import') }),
])

/** A conversation began. Always the first entry of a log, and only there. */
export const ConversationCreated = entryOf('conversation-created', {
  ownerId: z.string().min(1),
  settings: ConversationSettings,
  origin: Origin,
})

/** Some settings got new values. Null returns a setting to what the agent or the installation says. */
export const SettingsChanged = entryOf('settings-changed', {
  changes: z.record(z.string(), Json).refine(
    (changes) => {
      const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))
      return (
        z.strictObject(ConversationSettings.shape).safeParse(set).success &&
        Object.keys(changes).every((key) => Object.hasOwn(ConversationSettings.shape, key))
      )
    },
    { error: 'names a setting that does not exist, or gives one a value that it cannot have' },
  ),
  /** The preset that set them at the beginning, as it was called then. [WS33] */
  preset: z.object({ presetId: z.string().min(1), name: z.string() }).exactOptional(),
})

/** The conversation got a title. One that a person chose is never overwritten by the model's. */
export const TitleChanged = entryOf('title-changed', {
  title: z.string().min(1).max(200),
  source: z.enum(['auto', 'user']),
  runId: z.string().exactOptional(),
})

/** The conversation left the list of current ones; nothing in it is gone. The accounting line of that. */
export const ConversationArchived = entryOf('conversation-archived', {
  reason: z.enum(['person', 'reset']),
  /** What the conversation had cost by then; a copy for the reader, checked against the fold. */
  totals: LedgerTotals,
  /** The conversation that took its place at a reset; every tab follows to it. [LOG12] */
  nextConversationId: z.string().min(1).exactOptional(),
})

/** An archived conversation came back to the list. */
export const ConversationRestored = entryOf('conversation-restored', {})
