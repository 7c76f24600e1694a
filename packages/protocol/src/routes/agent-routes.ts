import { AgentSettings, ConversationSettings } from '@holdfast/conversation'
import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'
import { AgentVoice } from '../voice/voice-routes.ts'

/** How much of an agent there may be, in characters unless the name says otherwise. */
export const AGENT_LIMITS = {
  name: 80,
  description: 300,
  avatar: 32,
  instructions: 100_000,
  starter: 2_000,
  starterCount: 8,
  toolCount: 500,
  parameterCount: 20,
  peopleCount: 100,
  pictureBytes: 262_144,
  pictureSidePx: 512,
} as const

const settings = ConversationSettings.shape

/** An emoji or up to three letters. */
const Avatar = z
  .string()
  .trim()
  .min(1)
  .max(AGENT_LIMITS.avatar)
  .refine((text) => [...new Intl.Segmenter().segment(text)].length <= 3 && !/[\p{Cc}<>]/u.test(text), {
    error: 'is one emoji, or up to three letters',
  })

/** What an agent sets; what is absent follows the installation. */
export const AgentPreferences = z.strictObject({
  ...AgentSettings.shape,
  modelId: OutsideId.exactOptional(),
  instructions: z.string().max(AGENT_LIMITS.instructions).exactOptional(),
  includedTools: z.array(z.string().min(1).max(200)).max(AGENT_LIMITS.toolCount).exactOptional(),
  parameters: settings.parameters
    .unwrap()
    .refine((parameters) => Object.keys(parameters).length <= AGENT_LIMITS.parameterCount, {
      error: `has more than ${AGENT_LIMITS.parameterCount} parameters`,
    })
    .exactOptional(),
})

/** Who may use an agent beside its owner: nobody, everyone of the installation, or people by their addresses. */
export const AgentSharing = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('private') }),
  z.strictObject({ type: z.literal('everyone') }),
  z.strictObject({
    type: z.literal('people'),
    emails: z.array(z.email().max(320)).min(1).max(AGENT_LIMITS.peopleCount),
  }),
])
export type AgentSharing = z.infer<typeof AgentSharing>

/** A PNG in base64. */
const Picture = z.base64().max(Math.ceil(AGENT_LIMITS.pictureBytes / 3) * 4)

/** What a person says of an agent, beside its picture. */
export const agentFields = {
  name: z.string().trim().min(1).max(AGENT_LIMITS.name),
  /** What it is for, in a sentence. */
  description: z.string().trim().max(AGENT_LIMITS.description).default(''),
  avatar: Avatar.nullable().default(null),
  settings: AgentPreferences.default({}),
  /** The preset that conversations begin with in which it is the first to answer. [WS33] */
  presetId: OutsideId.nullable().default(null),
  /** How it is heard, and how it hears; null for what the installation says. [VOICE1] */
  voice: AgentVoice.nullable().default(null),
  /** What a new conversation offers to begin with. */
  starters: z.array(z.string().trim().min(1).max(AGENT_LIMITS.starter)).max(AGENT_LIMITS.starterCount).default([]),
  sharing: AgentSharing.default({ type: 'private' }),
}

/** An agent as a person who may use it sees it. */
export const AgentRow = z.object({
  id: z.string(),
  /** Grows with every change. */
  version: z.int().positive(),
  name: z.string(),
  description: z.string(),
  avatar: z.string().nullable(),
  /** Names the picture that stands for it, which `GET /agents/:agentId/picture` gives; null where there is none. */
  picture: z.string().nullable(),
  settings: AgentSettings,
  /** The preset that conversations with it begin with; null for none. */
  presetId: z.string().nullable(),
  /** How it is heard, and how it hears; null for what the installation says. */
  voice: AgentVoice.nullable(),
  starters: z.array(z.string()),
  /** Where it is from: always there, from the operator's file, this person's own, or another person's. */
  origin: z.enum(['built-in', 'file', 'own', 'shared']),
  /** What people call the one who shares it; null where nobody does. */
  sharedBy: z.string().nullable(),
  /** Whether tasks may be handed to it by name: one that another person shares counts once it was accepted. [AGENT5] */
  accepted: z.boolean(),
  /** With whom; null where it is not this person's to say. */
  sharing: AgentSharing.nullable(),
  /** Whether this person may change and delete it. */
  canChange: z.boolean(),
  /** Milliseconds since the Unix epoch; 0 where it was never changed here. */
  updatedAt: z.int().nonnegative(),
})
export type AgentRow = z.infer<typeof AgentRow>

const named = z.object({ agentId: OutsideId })

/** The routes about agents. What another person's conversations hold never passes here. */
export const agentRoutes = {
  listAgents: {
    method: 'GET',
    path: '/agents',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ agents: z.array(AgentRow) }) },
  },
  createAgent: {
    method: 'POST',
    path: '/agents',
    access: 'user',
    scope: 'tools',
    params: nothing,
    query: nothing,
    body: z.strictObject({ ...agentFields, picture: Picture.nullable().default(null) }),
    answers: { 201: AgentRow },
  },
  readAgent: {
    method: 'GET',
    path: '/agents/:agentId',
    access: 'record',
    params: named,
    query: nothing,
    body: nothing,
    answers: { 200: AgentRow },
  },
  readAgentUse: {
    method: 'GET',
    path: '/agents/:agentId/use',
    access: 'record',
    params: named,
    query: nothing,
    body: nothing,
    /** In how many conversations of the person it answers, archived ones included; those of others are not told of. */
    answers: { 200: z.object({ agentId: z.string(), conversationCount: z.int().nonnegative() }) },
  },
  readAgentPicture: {
    method: 'GET',
    path: '/agents/:agentId/picture',
    access: 'record',
    gives: 'image/png',
    params: named,
    /** `version` names one picture, so that a browser asks once for each. */
    query: z.object({ version: z.string().max(64).exactOptional() }),
    body: nothing,
    answers: { 200: nothing },
  },
  changeAgent: {
    method: 'PATCH',
    path: '/agents/:agentId',
    access: 'record',
    scope: 'tools',
    params: named,
    query: nothing,
    /**
     * All that it is from now on; a picture that is absent stays. `version`: the one that was read; another that was
     * made since is not overwritten.
     */
    body: z.strictObject({ ...agentFields, picture: Picture.nullable().exactOptional(), version: z.int().positive() }),
    answers: { 200: AgentRow },
  },
  /** Takes an agent that another person shares. [AGENT5] */
  acceptAgent: {
    method: 'POST',
    path: '/agents/:agentId/accept',
    access: 'record',
    scope: 'tools',
    params: named,
    query: nothing,
    body: nothing,
    answers: { 200: AgentRow },
  },
  deleteAgent: {
    method: 'DELETE',
    path: '/agents/:agentId',
    access: 'record',
    scope: 'tools',
    params: named,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ agentId: z.string() }) },
  },
} as const satisfies Readonly<Record<string, Route>>
