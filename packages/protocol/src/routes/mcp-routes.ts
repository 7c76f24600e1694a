import { Json } from '@holdfast/conversation'
import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

const at = z.int().nonnegative()

/** What an MCP server is doing. Times in milliseconds since the Unix epoch. */
export const McpServerRowState = z.discriminatedUnion('type', [
  z.object({ type: z.literal('off') }),
  z.object({ type: z.literal('connecting'), attempt: z.int().positive() }),
  z.object({ type: z.literal('connected'), since: at, protocolVersion: z.string().nullable() }),
  /** It failed, and is tried again then. */
  z.object({ type: z.literal('waiting'), attempt: z.int().positive(), until: at }),
  /** An admin has to sign in; the address is null for everybody else. */
  z.object({ type: z.literal('needs-sign-in'), url: z.string().nullable() }),
])

/** In what a server is not what was accepted of it; `before` and `after` hold all of it, word for word. [TOOL9] */
const OfferChange = z.object({
  type: z.enum(['tool-added', 'tool-changed', 'tool-removed', 'instructions-changed']),
  /** Of a tool; null for instructions. */
  name: z.string().nullable(),
  before: Json,
  after: Json,
})

/** One MCP server of the installation. */
export const McpServerRow = z.object({
  name: z.string(),
  /** The exact command, or the address; null for who is no admin. */
  reach: z.string().nullable(),
  state: McpServerRowState,
  /** What it calls itself. */
  title: z.string().nullable(),
  toolCount: z.int().nonnegative(),
  instructions: z.string().nullable(),
  /** Tools that nobody is offered, and why. */
  refused: z.array(z.object({ name: z.string(), reason: z.string() })),
  /** What waits for an admin to accept it. */
  changes: z.array(OfferChange),
  /** Names all that the server offers now; null before it has offered anything. */
  offerHash: z.string().nullable(),
  /** The text is null for who is no admin. */
  lastError: z.object({ at, text: z.string().nullable() }).nullable(),
  /** Connections that ended without being told to. */
  failures: z.int().nonnegative(),
  runningCalls: z.int().nonnegative(),
  /** Whose sign-in is used with it, and whether for everybody; null where none is. [SEC23] */
  signIn: z.object({ by: z.string().nullable(), isShared: z.boolean() }).nullable(),
})
export type McpServerRow = z.infer<typeof McpServerRow>

/** The newest lines of what a server printed, sent and did. */
const McpLogLine = z.object({ at, from: z.enum(['stderr', 'server', 'connection']), text: z.string() })

const server = z.object({ name: OutsideId })
const one = { params: server, query: nothing }

/** The routes about MCP servers, which belong to the installation. Which there are, the operator's file says; no route adds one. [S13] */
export const mcpRoutes = {
  listMcpServers: {
    method: 'GET',
    path: '/mcp-servers',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ servers: z.array(McpServerRow) }) },
  },
  /** Begins a sign-in of the session that asks; no other one ends it. [SEC23] */
  beginMcpSignIn: {
    method: 'POST',
    path: '/mcp-servers/:name/sign-in',
    access: 'admin',
    ...one,
    body: nothing,
    answers: { 200: z.object({ url: z.string() }) },
  },
  /**
   * Where a sign-in with a server leads back to. It ends the sign-in of the session that began it. A browser that comes
   * from elsewhere shows no page key: it is led on to the page, which asks again. [SEC23]
   */
  endMcpSignIn: {
    method: 'GET',
    path: '/mcp-servers/sign-in',
    access: 'anyone',
    params: nothing,
    query: z.looseObject({ state: z.string().max(200) }),
    body: nothing,
    answers: { 200: z.object({ server: z.string(), message: z.string() }), 303: nothing },
  },
  switchMcpServer: {
    method: 'PATCH',
    path: '/mcp-servers/:name',
    access: 'admin',
    ...one,
    body: z.strictObject({ on: z.boolean() }),
    answers: { 200: McpServerRow },
  },
  restartMcpServer: {
    method: 'POST',
    path: '/mcp-servers/:name/restart',
    access: 'admin',
    ...one,
    body: nothing,
    answers: { 200: McpServerRow },
  },
  acceptMcpChanges: {
    method: 'POST',
    path: '/mcp-servers/:name/accept',
    access: 'admin',
    ...one,
    /** The `offerHash` that was looked at: another one is not accepted. */
    body: z.strictObject({ offerHash: z.string().max(100) }),
    answers: { 200: McpServerRow },
  },
  readMcpLog: {
    method: 'GET',
    path: '/mcp-servers/:name/log',
    access: 'admin',
    ...one,
    body: nothing,
    answers: { 200: z.object({ lines: z.array(McpLogLine) }) },
  },
  listMcpMaterial: {
    method: 'GET',
    path: '/mcp-servers/material',
    access: 'user',
    params: nothing,
    query: z.object({ server: OutsideId }),
    body: nothing,
    answers: {
      200: z.object({
        resources: z.array(
          z.object({
            uri: z.string(),
            name: z.string(),
            description: z.string(),
            mediaType: z.string().nullable(),
          }),
        ),
        /** Families of resources: `{name}` in the address stands for a value. */
        templates: z.array(
          z.object({
            uriTemplate: z.string(),
            name: z.string(),
            description: z.string(),
            mediaType: z.string().nullable(),
          }),
        ),
        prompts: z.array(
          z.object({
            name: z.string(),
            description: z.string(),
            arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
          }),
        ),
      }),
    },
  },
  readMcpResource: {
    method: 'POST',
    path: '/mcp-servers/resource',
    access: 'user',
    params: nothing,
    query: nothing,
    body: z.strictObject({ server: OutsideId, uri: z.string().min(1).max(4_000) }),
    answers: { 200: z.object({ text: z.string() }) },
  },
  /** What a server proposes for a value of a prompt or of a template, as far as it was written. */
  completeMcpValue: {
    method: 'POST',
    path: '/mcp-servers/complete',
    access: 'user',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      server: OutsideId,
      of: z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('prompt'), name: z.string().min(1).max(200) }),
        z.strictObject({ type: z.literal('template'), uriTemplate: z.string().min(1).max(4_000) }),
      ]),
      argument: z.string().min(1).max(200),
      /** Values that are written already. */
      given: z.record(z.string(), z.string().max(4_000)),
      value: z.string().max(4_000),
    }),
    answers: { 200: z.object({ values: z.array(z.string()) }) },
  },
  readMcpPrompt: {
    method: 'POST',
    path: '/mcp-servers/prompt',
    access: 'user',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      server: OutsideId,
      prompt: z.string().min(1).max(200),
      arguments: z.record(z.string(), z.string().max(20_000)),
    }),
    answers: {
      200: z.object({ messages: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })) }),
    },
  },
} as const satisfies Readonly<Record<string, Route>>
