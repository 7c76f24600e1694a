import { hiddenCharacter } from '@holdfast/conversation'
import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'

/** How much of an external agent there may be, in characters unless the name says otherwise. */
export const EXTERNAL_AGENT_LIMITS = {
  name: 80,
  command: 1_000,
  argument: 10_000,
  argumentCount: 100,
  variableName: 100,
  variable: 20_000,
  variableCount: 50,
  /** Of those that were added in the page or over the API. */
  addedCount: 50,
  /** The longest that a test takes, in milliseconds. */
  testMs: 60_000,
} as const

const Id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
  error: 'is 1 to 40 lower-case letters, digits and "-", beginning with a letter or a digit',
})
/** A name stands on one line, in the terminal too. [AGENT72] */
const Name = z
  .string()
  .trim()
  .min(1)
  .max(EXTERNAL_AGENT_LIMITS.name)
  .refine((name) => !/[\t\n\r]/.test(name) && hiddenCharacter(name) === null, {
    error: 'holds a line break, a tab or a character that is not seen',
  })

/** A relative path would mean another program in the folder of every conversation. [AGENT46] */
const Program = z
  .string()
  .trim()
  .min(1)
  .max(EXTERNAL_AGENT_LIMITS.command)
  .regex(/^(?:\/[^\0\n]+|[A-Za-z]:\\[^\0\n]+|[^/\\\0\n]+)$/, {
    error: 'is the name of a program on the PATH, or its whole path from the root on',
  })
const Args = z
  .array(
    z
      .string()
      .max(EXTERNAL_AGENT_LIMITS.argument)
      .regex(/^[^\0]*$/, { error: 'holds a character that no program takes' }),
  )
  .max(EXTERNAL_AGENT_LIMITS.argumentCount)
const VariableName = z
  .string()
  .max(EXTERNAL_AGENT_LIMITS.variableName)
  .regex(/^[A-Za-z_]\w*$/, { error: 'is letters, digits and "_", and does not begin with a digit' })
const Variable = z
  .string()
  .max(EXTERNAL_AGENT_LIMITS.variable)
  .regex(/^[^\0]*$/, { error: 'holds a character that no program takes' })

function variables<Value extends z.ZodType>(value: Value) {
  return z.record(VariableName, value).refine((env) => Object.keys(env).length <= EXTERNAL_AGENT_LIMITS.variableCount, {
    error: `has more than ${EXTERNAL_AGENT_LIMITS.variableCount} variables`,
  })
}

/** What an external agent is, as the operator's file and a person say it. [AGENT45] */
export const externalAgentFields = {
  name: Name,
  command: Program,
  args: Args,
  env: variables(Variable),
} as const

/** The name of an external agent in addresses. */
export const ExternalAgentId = Id

/** A program that speaks the Agent Client Protocol, and where it is known from. */
export const ExternalAgentRow = z.object({
  id: z.string(),
  name: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  /** Its variables by name, with the end of a long value and null for a short one. A value never comes out. [SEC4] */
  env: z.record(z.string(), z.string().nullable()),
  /** Whether Holdfast knows it by itself, whoever set it up. */
  isKnown: z.boolean(),
  /** Whether its program is there: it is offered to conversations then. */
  isInstalled: z.boolean(),
  /** As the last test found it; absent before one. */
  protocolVersion: z.int().exactOptional(),
  /** How a person installs it; null where that is not known. Nothing here does. */
  install: z.string().nullable(),
  source: z.enum(['known', 'file', 'stored']),
  /** Of a stored one: the `revision` that a change names; null of all others. */
  revision: z.int().positive().nullable(),
  /** What is wrong, for a person. */
  problem: z.string().nullable(),
})
export type ExternalAgentRow = z.infer<typeof ExternalAgentRow>

const Mode = z.object({ id: z.string(), name: z.string() })

/** What a test of an external agent found. No model was asked. [AGENT47] */
export const ExternalAgentTest = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('works'),
    protocolVersion: z.int(),
    /** Of its program; null where it does not say. */
    version: z.string().nullable(),
    /** Its own modes, and the one that its conversations are held in; null where none is known to ask. [AGENT6] */
    modes: z.array(Mode),
    askMode: z.string().nullable(),
    /** Ways to sign in that it offers, in its words. */
    signIns: z.array(z.string()),
    tookMs: z.int().nonnegative(),
  }),
  z.object({
    type: z.literal('fails'),
    code: z.enum(['cannot-start', 'sign-in', 'gone', 'refused']),
    /** What is so, with the end of what it printed, without the values of its variables. [SEC4] */
    text: z.string(),
    /** How a person signs in, in its words. */
    signIns: z.array(z.string()),
  }),
])
export type ExternalAgentTest = z.infer<typeof ExternalAgentTest>

const Choice = z.object({ id: z.string(), name: z.string(), description: z.string().nullable() })

/** As the setting `paidBy` has it: `own`, `providers`, or `provider:` with the id of one. */
const PaidBy = z.string().min(1).max(300)

/** Who can pay for what an external agent asks. */
export const ExternalAgentPayer = z.object({
  id: PaidBy,
  /** The provider's name; null for the agent's own sign-in, and for whoever fits of the providers here. */
  name: z.string().nullable(),
})

/** What a person can choose of an external agent, where one of these pays. [AGENT55] */
export const ExternalAgentChoices = z.object({
  payers: z.array(ExternalAgentPayer),
  /** The one that these choices are for. */
  paidBy: PaidBy,
  /** Who pays where nobody chose. */
  usualPayer: PaidBy,
  /** Null where the agent could not say what it offers: `problem` says why. */
  modes: z.array(Choice.extend({ asksFirst: z.boolean() })).nullable(),
  /** The mode that holds where nobody chose; null where none is known to ask. [AGENT6] */
  askMode: z.string().nullable(),
  /** Of its own sign-in those that it tells, else those that who pays has. */
  models: z.array(Choice.extend({ takesImages: z.boolean().nullable() })),
  /** The one that it takes where nobody chose; null where that is not known. */
  usualModel: z.string().nullable(),
  /** Null where it could not be asked. */
  takesImages: z.boolean().nullable(),
  problem: z.string().nullable(),
})
export type ExternalAgentChoices = z.infer<typeof ExternalAgentChoices>

const named = z.object({ id: z.string().min(1).max(200) })

/** The routes about external agents, which run with all rights of the account that runs Holdfast: they are for admins. [AGENT15] */
export const externalAgentRoutes = {
  listExternalAgents: {
    method: 'GET',
    path: '/external-agents',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ agents: z.array(ExternalAgentRow) }) },
  },
  /** One with the id of a known agent or of none; a known one is then started as this says. [AGENT45] */
  addExternalAgent: {
    method: 'POST',
    path: '/external-agents',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      /** Made of the name where it is left out. */
      id: Id.exactOptional(),
      name: Name,
      command: Program,
      args: Args.exactOptional(),
      env: externalAgentFields.env.exactOptional(),
    }),
    answers: { 201: ExternalAgentRow },
  },
  changeExternalAgent: {
    method: 'PATCH',
    path: '/external-agents/:id',
    access: 'admin',
    params: named,
    query: nothing,
    /** What is absent stays, in `env` too; null takes a variable away. `revision`: the one that was read. */
    body: z.strictObject({
      revision: z.int().positive(),
      name: Name.exactOptional(),
      command: Program.exactOptional(),
      args: Args.exactOptional(),
      env: variables(Variable.nullable()).exactOptional(),
    }),
    answers: { 200: ExternalAgentRow },
  },
  removeExternalAgent: {
    method: 'DELETE',
    path: '/external-agents/:id',
    access: 'admin',
    params: named,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ id: z.string() }) },
  },
  testExternalAgent: {
    method: 'POST',
    path: '/external-agents/:id/test',
    access: 'admin',
    params: named,
    query: nothing,
    body: nothing,
    answers: { 200: ExternalAgentTest },
  },
  /** It is started once to look, in an empty folder and without asking a model, where no session of it has said what it offers. */
  listExternalAgentChoices: {
    method: 'GET',
    path: '/external-agents/:id/choices',
    access: 'admin',
    params: named,
    query: z.object({ paidBy: PaidBy.exactOptional() }),
    body: nothing,
    answers: { 200: ExternalAgentChoices },
  },
} as const satisfies Readonly<Record<string, Route>>
