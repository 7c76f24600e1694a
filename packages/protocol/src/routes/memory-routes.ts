import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** What can be asked for is bounded here; what is a memory, the memories say. */
const text = z.string().max(20_000)
const agentId = OutsideId.nullable()

/** Something that is remembered of the user. */
export const MemoryRow = z.object({
  memoryId: z.string(),
  /** One line. */
  text: z.string(),
  /** The one agent that is told it; null for every agent. */
  agentId: z.string().nullable(),
  /** Told before the others where not all find room. */
  isPinned: z.boolean(),
  /** Milliseconds since the Unix epoch. */
  createdAt: z.int().nonnegative(),
  changedAt: z.int().nonnegative(),
  /** The conversation that it was saved in, and the message that was being answered; null for what the user wrote down. */
  from: z.object({ conversationId: z.string(), seq: z.int().nonnegative() }).nullable(),
})
export type MemoryRow = z.infer<typeof MemoryRow>

/** What is remembered of the user, and whether agents remember at all. */
export const MemoriesAnswer = z.object({
  memories: z.array(MemoryRow),
  /** Of the user in all, whatever was asked for. */
  totalCount: z.int().nonnegative(),
  mostMemories: z.int().positive(),
  isOn: z.boolean(),
})
export type MemoriesAnswer = z.infer<typeof MemoriesAnswer>

/** `isNew` is false where the same words were there already. */
const saved = z.object({ memory: MemoryRow, isNew: z.boolean() })
const memory = z.object({ memoryId: OutsideId })

/** The routes about what is remembered of a user. */
export const memoryRoutes = {
  listMemories: {
    method: 'GET',
    path: '/memories',
    access: 'user',
    params: nothing,
    query: z.object({
      /** Words; the best first. Without it the newest first. */
      query: z.string().max(1_000).exactOptional(),
      agentId: OutsideId.exactOptional(),
      conversationId: OutsideId.exactOptional(),
    }),
    body: nothing,
    answers: { 200: MemoriesAnswer },
  },
  createMemory: {
    method: 'POST',
    path: '/memories',
    access: 'user',
    params: nothing,
    query: nothing,
    body: z.strictObject({ text, agentId: agentId.default(null), isPinned: z.boolean().default(false) }),
    answers: { 200: saved, 201: saved },
  },
  changeMemories: {
    method: 'PATCH',
    path: '/memories',
    access: 'user',
    params: nothing,
    query: nothing,
    body: z.strictObject({ isOn: z.boolean() }),
    answers: { 200: z.object({ isOn: z.boolean() }) },
  },
  deleteMemories: {
    method: 'DELETE',
    path: '/memories',
    access: 'user',
    params: nothing,
    /** With a conversation: what was saved in it; without: all. */
    query: z.object({ conversationId: OutsideId.exactOptional() }),
    body: nothing,
    answers: { 200: z.object({ deletedCount: z.int().nonnegative(), backups: z.string() }) },
  },
  importMemories: {
    method: 'POST',
    path: '/memories/import',
    access: 'user',
    params: nothing,
    query: nothing,
    /** What `GET /memories` answers can be given as it is. */
    body: z.object({
      memories: z
        .array(z.object({ text, agentId: agentId.default(null), isPinned: z.boolean().default(false) }))
        .max(1_000),
    }),
    answers: {
      200: z.object({
        savedCount: z.int().nonnegative(),
        knownCount: z.int().nonnegative(),
        /** What was not taken, by its place in the list. */
        refused: z.array(z.object({ index: z.int().nonnegative(), reason: z.string() })),
      }),
    },
  },
  changeMemory: {
    method: 'PATCH',
    path: '/memories/:memoryId',
    access: 'record',
    params: memory,
    query: nothing,
    body: z
      .strictObject({
        text: text.exactOptional(),
        agentId: agentId.exactOptional(),
        isPinned: z.boolean().exactOptional(),
      })
      .refine((body) => Object.keys(body).length > 0, { error: 'asks for nothing; give text, agentId or isPinned' }),
    answers: { 200: saved },
  },
  deleteMemory: {
    method: 'DELETE',
    path: '/memories/:memoryId',
    access: 'record',
    params: memory,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ memoryId: z.string() }) },
  },
} as const satisfies Readonly<Record<string, Route>>
