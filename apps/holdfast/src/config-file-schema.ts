import { ofFields, ruleFields, SomeSettings } from '@holdfast/conversation'
import { SERVER_NAME } from '@holdfast/mcp/settings'
import { agentFields, ExternalAgentId, externalAgentFields } from '@holdfast/protocol'
import * as z from 'zod'
import { REPLICA_TIMES } from './replicas/replica-times.ts'

const Price = z
  .strictObject({
    inputUsdPerMillion: z.number().nonnegative(),
    outputUsdPerMillion: z.number().nonnegative(),
    cacheReadUsdPerMillion: z.number().nonnegative().optional(),
    cacheCreation5mUsdPerMillion: z.number().nonnegative().optional(),
    cacheCreation1hUsdPerMillion: z.number().nonnegative().optional(),
  })
  .describe('US dollars per million tokens. What is left out is unknown, and so is the cost of requests that use it.')

const Model = z
  .union([
    z.string().min(1),
    z.strictObject({
      id: z.string().min(1).describe('What the provider calls it.'),
      name: z.string().min(1).optional().describe('For people.'),
      contextWindowTokens: z.int().positive().optional(),
      maxOutputTokens: z.int().positive().optional(),
      price: Price.optional(),
      tools: z.boolean().optional(),
      images: z.boolean().optional(),
      thinking: z.boolean().optional(),
    }),
  ])
  .describe('A model: its id, or its id with what is known better than the catalog.')

const ProviderFields = {
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
    .describe('Stands before the slash of its models: lower-case letters, digits and "-".'),
  name: z.string().min(1).optional().describe('For people.'),
  headers: z.record(z.string(), z.string()).optional().describe('Sent with every request.'),
  models: z
    .array(Model)
    .optional()
    .describe('Its models. Without them the server is asked, or the usual ones are taken.'),
}

const Key = {
  apiKey: z.string().min(1).optional(),
  apiKeyEnv: z.string().min(1).optional().describe('Name of the environment variable that holds the key.'),
}

const Provider = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('anthropic'), ...ProviderFields, ...Key, baseUrl: z.url().optional() }),
  z.strictObject({ type: z.literal('openai-responses'), ...ProviderFields, ...Key, baseUrl: z.url().optional() }),
  z.strictObject({
    type: z.literal('openai-chat'),
    ...ProviderFields,
    ...Key,
    baseUrl: z.url(),
    server: z
      .enum(['openai', 'ollama', 'lm-studio', 'llama-cpp', 'vllm', 'openrouter', 'openai-compatible'])
      .optional()
      .describe('What kind of server it is; openai-compatible where it is none of the others.'),
  }),
  z.strictObject({ type: z.literal('google'), ...ProviderFields, ...Key, baseUrl: z.url().optional() }),
  z.strictObject({
    type: z.literal('bedrock'),
    ...ProviderFields,
    ...Key,
    baseUrl: z.url().optional(),
    region: z.string().min(1).optional(),
  }),
])

const Rule = ofFields({
  id: z.string().min(1).describe('Names it where a decision says what decided.'),
  effect: ruleFields.effect,
  tool: ruleFields.tool,
  pattern: ruleFields.pattern,
  category: ruleFields.category,
  annotations: ruleFields.annotations,
})

const McpFields = {
  timeoutMs: z.int().positive().max(86_400_000).optional().describe('The longest that a call may take.'),
  silenceMs: z
    .int()
    .positive()
    .max(86_400_000)
    .optional()
    .describe('A call of which nothing is heard for so long has failed.'),
  disabled: z.boolean().optional().describe('Not connected until it is turned on.'),
  sampling: z
    .boolean()
    .optional()
    .describe('It may ask for the model of a conversation; a person agrees to each request, and it counts there.'),
}

/** In the form that MCP clients share. */
const McpServer = z.union([
  z.strictObject({
    type: z.literal('stdio').optional(),
    command: z.string().min(1).describe('The program, which is started without a shell.'),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional().describe('Added to the harmless part of the own environment.'),
    cwd: z.string().min(1).optional().describe('Where it runs; from where this file is.'),
    ...McpFields,
  }),
  z.strictObject({
    type: z.enum(['http', 'streamable-http']).optional(),
    url: z.url({ protocol: /^https?$/ }).describe('Its address, of streamable HTTP.'),
    headers: z.record(z.string(), z.string()).optional(),
    shareSignIn: z.boolean().optional().describe('A sign-in with it is used for everybody; else for admins alone.'),
    ...McpFields,
  }),
])

const { sharing: _, ...FILE_AGENT } = agentFields

/** What the file of HOLDFAST_CONFIG may hold. */
export const ConfigFile = z.strictObject({
  $schema: z.string().optional(),
  defaultModelId: z.string().min(1).optional().describe('The model of new conversations: provider/model.'),
  providers: z.array(Provider).optional(),
  agents: z
    .array(
      z.strictObject({
        ...FILE_AGENT,
        id: z
          .string()
          .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
          .describe('Its name in addresses: lower-case letters, digits and "-". Not "default".'),
      }),
    )
    .max(100)
    .refine((agents) => new Set(['default', ...agents.map(({ id }) => id)]).size === agents.length + 1, {
      error: 'two agents have one id, or one is called "default", which is always there',
    })
    .optional()
    .describe('Agents that everyone may choose and nobody changes in the page.'),
  externalAgents: z
    .array(
      z.strictObject({
        id: ExternalAgentId.describe('Its name in addresses. That of a known agent starts that one in another way.'),
        name: externalAgentFields.name.optional().describe('For people.'),
        command: externalAgentFields.command.describe('A program on the PATH, or its whole path. No shell is used.'),
        args: externalAgentFields.args.optional(),
        env: externalAgentFields.env.optional().describe('Added to the harmless part of the own environment.'),
      }),
    )
    .max(100)
    .refine((agents) => new Set(agents.map(({ id }) => id)).size === agents.length, {
      error: 'two external agents have one id',
    })
    .optional()
    .describe('Programs that speak the Agent Client Protocol, for administrators; see docs/external-agents.md.'),
  workspaceRoots: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Folders below which workspaces may be opened; an empty list for none beside the one of the start. Without it: the home folder of who runs Holdfast.',
    ),
  worktreesFolder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where worktrees of conversations are made; from where this file is. Without it: beside the data folder, named after it.',
    ),
  workspace: z
    .string()
    .min(1)
    .optional()
    .describe('The folder that agents may read, edit and run commands in; from where this file is.'),
  commands: z
    .strictObject({
      network: z
        .enum(['none', 'outside', 'host'])
        .optional()
        .describe(
          'What commands reach: nothing, the public internet, or all that this machine does. "outside" is usual.',
        ),
      processes: z.int().positive().max(1_000_000).optional().describe('That one command may have at once.'),
      memoryMiB: z.int().positive().optional().describe('That one command may use; three quarters of it are usual.'),
      fileSizeMiB: z.int().positive().optional().describe('That one file of a command may have; 16384 is usual.'),
    })
    .optional()
    .describe('What confines the commands of agents, where a sandbox works.'),
  previews: z
    .strictObject({
      host: z.string().min(1).optional().describe('Where they listen; 127.0.0.1 is usual.'),
      port: z
        .int()
        .min(1)
        .max(65_535)
        .optional()
        .describe('For all of them; the one after that of the server is usual.'),
      url: z
        .string()
        .regex(/^https:\/\/\*(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/, {
          error: 'is an address with a star in the place of the first name, such as https://*.preview.example.org',
        })
        .optional()
        .describe('How browsers on other computers find them, through a proxy; see docs/previews.md.'),
    })
    .optional()
    .describe('Previews of web pages, each on an origin of its own.'),
  pushServices: z
    .array(
      z.string().regex(/^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/, {
        error: 'is an origin, such as https://*.push.apple.com',
      }),
    )
    .max(50)
    .optional()
    .describe(
      'Services of browsers that messages about what happens may go to, where a person turns that on. Without it: those of the large browsers; an empty list for none.',
    ),
  permissions: z
    .strictObject({
      defaultPolicy: z.enum(['ask', 'deny', 'allow']).optional().describe('Where no rule matches; "ask" is usual.'),
      rules: z.array(Rule).optional(),
      hardDenials: z.array(Rule).optional().describe('Denials that no mode and no answer lifts.'),
    })
    .optional(),
  mcpServers: z
    .record(
      z.string().regex(SERVER_NAME, { error: 'is letters, digits, ".", "-", single "_" and spaces, at most 40' }),
      McpServer,
    )
    .optional()
    .describe('MCP servers by name. Only this file starts any.'),
  settings: SomeSettings.optional().describe(
    'Settings of the installation. They stand above what is set in the page and over the API, and are shown as such.',
  ),
  bucket: z
    .strictObject({
      name: z
        .string()
        .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'is 3 to 63 lower-case letters, digits, "-" and "."' })
        .describe('Of the bucket, which must exist.'),
      endpoint: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('Address of the service, without the bucket; that of AWS in the region is usual.'),
      region: z.string().regex(/^[a-z0-9-]{1,40}$/, { error: 'is lower-case letters, digits and "-"' }),
      pathStyle: z
        .boolean()
        .optional()
        .describe("Whether the bucket's name stands in the path, not before the host; usual with an endpoint."),
      prefix: z
        .string()
        .regex(/^(?:[\w-]{1,64}\/){1,8}$/, {
          error: 'is names of letters, digits, "-" and "_", each with a slash behind it',
        })
        .optional()
        .describe('What all keys begin with, such as holdfast/.'),
    })
    .optional()
    .describe('An S3-compatible bucket for the content of files and pictures. Its keys are in the environment.'),
  database: z
    .strictObject({
      connections: z
        .int()
        .min(2)
        .max(1_000)
        .optional()
        .describe('The most connections to PostgreSQL that one process has; 10 is usual.'),
    })
    .optional(),
  replicas: z
    .strictObject({
      beatMs: z.int().min(100).max(10_000).optional().describe('Between two beats of this server. Usual: 1000.'),
      expiryMs: z
        .int()
        .min(300)
        .max(60_000)
        .optional()
        .describe('How long it counts as alive without one; at least three times beatMs. Usual: 3000.'),
      drainMs: z
        .int()
        .min(0)
        .max(600_000)
        .optional()
        .describe('How long a server that is told to end waits for the answers that it is giving. Usual: 10000.'),
    })
    // With fewer beats a server that is only slow would count as gone.
    .refine(({ beatMs, expiryMs }) => (expiryMs ?? REPLICA_TIMES.expiryMs) >= 3 * (beatMs ?? REPLICA_TIMES.beatMs), {
      error: 'has an "expiryMs" (usual: 3000) that is less than three times its "beatMs" (usual: 1000)',
    })
    .optional()
    .describe('Of several servers on one PostgreSQL, in milliseconds. All of them had better have the same.'),
  limits: z
    .strictObject({
      connectMs: z.int().positive().optional().describe('Until a connection to a provider stands.'),
      answerMs: z.int().positive().optional().describe('From a request to the headers of its answer.'),
      detectMs: z
        .int()
        .positive()
        .max(2_000)
        .optional()
        .describe('For local servers, and the lists of models, at the start.'),
    })
    .optional(),
})
export type ConfigFile = z.infer<typeof ConfigFile>
export type ConfiguredProvider = NonNullable<ConfigFile['providers']>[number]

/** The schema for editors. */
export function configJsonSchema(): unknown {
  // What is checked by hand, such as any JSON, has no form there: editors are told that anything goes.
  const options = { target: 'draft-07', io: 'input', unrepresentable: 'any' } as const
  return { title: 'Holdfast configuration', ...z.toJSONSchema(ConfigFile, options) }
}
