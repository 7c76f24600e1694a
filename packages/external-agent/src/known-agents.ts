import type { Json } from '@holdfast/conversation'
import * as z from 'zod'
import { HOUSE } from './house-name.ts'

/** An agent as a program that speaks the Agent Client Protocol over its standard streams. */
export interface ExternalAgent {
  readonly id: string
  /** For people. */
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** What is added to the environment of the program. */
  readonly env: Readonly<Record<string, string>>
}

/** An agent that is known here, installed or not. */
export interface KnownAgent extends ExternalAgent {
  /** How a person installs it; nothing here does. */
  readonly install: string
  /** Modes that ask before something is changed, or change nothing, the best first. [AGENT6] */
  readonly askModes: readonly string[]
  /**
   * Whether its session cannot be used any more when it was stopped in a call: it keeps the call without a result, and its
   * provider refuses all that follows. Seen of Gemini CLI 0.61.0. [AGENT38]
   */
  readonly losesStoppedCalls: boolean
  /** Whether it leaves pictures out of a prompt in which something is embedded. Seen of Gemini CLI 0.61.0. [AGENT49] */
  readonly losesPicturesBeside: boolean
  /** The forms in which it asks models. */
  readonly forms: readonly GatewayForm[]
  /** How it names a model behind the gateway where one is chosen. [AGENT53] */
  readonly modelIdOf: (model: GatewayChoice) => string
  /** The title that it gives a call of a house tool, which no model can give another; null where that is not known. [AGENT42] */
  readonly houseTitle: ((name: string) => string) | null
  /** The call of a house tool in what it tells as the input, where it says so in fields that no model fills; null elsewhere. [AGENT42] */
  readonly houseInput: ((told: Json) => { readonly name: string; readonly input: Json } | null) | null
  /** Gives a call of one up after so long, whatever it is told meanwhile; in milliseconds, null for never. */
  readonly houseLimitMs: number | null
  /** What a person does where it takes no tools of others; null where it always does. */
  readonly houseNeeds: string | null
  /** What leads all its requests to models to the gateway; null where no model there has a form that it speaks. [AGENT35] */
  readonly pointAt: (gateway: GatewayAddress) => PointedAgent | null
}

/** The forms in which a model can be asked through the gateway. */
export type GatewayForm = 'anthropic' | 'openai-responses' | 'openai-chat' | 'google'

/** A model that the gateway passes requests to. */
export interface GatewayChoice {
  readonly form: GatewayForm
  /** As its provider names it. */
  readonly id: string
  readonly name: string
  readonly contextWindowTokens: number | null
  readonly maxOutputTokens: number | null
  /** Null where that is not known. */
  readonly takesImages: boolean | null
}

/** Where an agent asks, and whom: the model that is taken first stands first. */
export interface GatewayAddress {
  readonly origin: string
  readonly key: string
  readonly models: readonly GatewayChoice[]
}

/** What points an agent at the gateway. */
export interface PointedAgent {
  readonly env: Readonly<Record<string, string>>
  /** A file of settings, without any key, and the variable that names it. */
  readonly settings?: { readonly variable: string; readonly text: string }
}

/** Permissions of opencode are settings: by themselves it asks about nothing. https://opencode.ai/docs/permissions/ */
const OPENCODE_PERMISSIONS = { edit: 'ask', bash: 'ask', webfetch: 'ask' } as const

/** The agents that are known here. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    id: 'opencode',
    name: 'opencode',
    command: 'opencode',
    args: ['acp'],
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: OPENCODE_PERMISSIONS }) },
    install: 'npm install -g opencode-ai',
    askModes: ['build', 'plan'],
    losesStoppedCalls: false,
    losesPicturesBeside: false,
    forms: ['anthropic', 'openai-responses', 'openai-chat', 'google'],
    modelIdOf: ({ form, id }) => `holdfast-${form}/${id}`,
    houseTitle: (name) => `holdfast_${name}`,
    houseInput: null,
    houseLimitMs: null,
    houseNeeds: null,
    pointAt: pointOpencode,
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    command: 'gemini',
    args: ['--experimental-acp'],
    env: {},
    install: 'npm install -g @google/gemini-cli',
    askModes: ['default', 'plan'],
    losesStoppedCalls: true,
    losesPicturesBeside: true,
    forms: ['google'],
    modelIdOf: ({ id }) => id,
    houseTitle: (name) => `${name} (holdfast MCP Server)`,
    houseInput: null,
    houseLimitMs: 600_000,
    // It would read the settings of the folder too, which may start programs: that is not for us to allow.
    houseNeeds:
      'It takes them only in folders that it trusts: run gemini in this folder once and say so there, or give the agent the variable GEMINI_CLI_TRUST_WORKSPACE=true, which holds in each new worktree too.',
    pointAt({ origin, key, models }) {
      const model = models.find(({ form }) => form === 'google')
      if (model === undefined) return null
      const text = JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } })
      return {
        env: { GOOGLE_GEMINI_BASE_URL: `${origin}/google`, GEMINI_API_KEY: key, GEMINI_MODEL: model.id },
        settings: { variable: 'GEMINI_CLI_SYSTEM_SETTINGS_PATH', text },
      }
    },
  },
  {
    id: 'claude',
    name: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    env: {},
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    askModes: ['default', 'plan'],
    losesStoppedCalls: false,
    losesPicturesBeside: false,
    forms: ['anthropic'],
    modelIdOf: ({ id }) => id,
    houseTitle: (name) => `mcp__holdfast__${name}`,
    houseInput: null,
    houseLimitMs: null,
    houseNeeds: null,
    pointAt({ origin, key, models }) {
      const model = models.find(({ form }) => form === 'anthropic')
      if (model === undefined) return null
      const { id, maxOutputTokens: most } = model
      const limit = most === null ? {} : { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(most) }
      const chosen = { ANTHROPIC_MODEL: id, ANTHROPIC_DEFAULT_HAIKU_MODEL: id, ...limit }
      return { env: { ANTHROPIC_BASE_URL: `${origin}/anthropic`, ANTHROPIC_API_KEY: key, ...chosen } }
    },
  },
  {
    id: 'codex',
    name: 'Codex',
    command: 'codex-acp',
    args: [],
    env: {},
    install: 'npm install -g @agentclientprotocol/codex-acp',
    askModes: ['read-only'],
    losesStoppedCalls: false,
    losesPicturesBeside: false,
    forms: ['openai-responses'],
    modelIdOf: ({ id }) => id,
    houseTitle: null,
    houseInput: codexHouseInput,
    houseLimitMs: 300_000,
    houseNeeds: null,
    pointAt({ origin, key, models }) {
      const model = models.find(({ form }) => form === 'openai-responses')
      if (model === undefined) return null
      const provider = {
        name: 'Holdfast',
        base_url: `${origin}/openai/v1`,
        wire_api: 'responses',
        env_key: 'HOLDFAST_GATEWAY_KEY',
        requires_openai_auth: false,
      }
      const config = { model: model.id, model_provider: 'holdfast', model_providers: { holdfast: provider } }
      return { env: { CODEX_CONFIG: JSON.stringify(config), HOLDFAST_GATEWAY_KEY: key } }
    },
  },
]

const CodexCall = z.strictObject({ server: z.literal(HOUSE), tool: z.string(), arguments: z.json() })

/** It tells of a call of a server's tool as of something that it executes: of a command it says other fields. Seen of Codex 0.166. */
function codexHouseInput(told: Json): { readonly name: string; readonly input: Json } | null {
  const read = CodexCall.safeParse(told)
  return read.success ? { name: read.data.tool, input: read.data.arguments } : null
}

const OPENCODE_CLIENTS: Readonly<Record<GatewayForm, { readonly npm: string; readonly path: string }>> = {
  anthropic: { npm: '@ai-sdk/anthropic', path: 'anthropic/v1' },
  'openai-responses': { npm: '@ai-sdk/openai', path: 'openai/v1' },
  'openai-chat': { npm: '@ai-sdk/openai-compatible', path: 'openai/v1' },
  google: { npm: '@ai-sdk/google', path: 'google/v1beta' },
}

/** It is given providers of ours alone: what else it knows would be asked past the gateway. */
function pointOpencode({ origin, key, models }: GatewayAddress): PointedAgent | null {
  const [first] = models
  if (first === undefined) return null
  const forms = [...new Set(models.map(({ form }) => form))]
  const provider = Object.fromEntries(
    forms.map((form) => {
      const { npm, path } = OPENCODE_CLIENTS[form]
      const offered = models.filter((model) => model.form === form).map((model) => [model.id, opencodeModel(model)])
      const options = { baseURL: `${origin}/${path}`, apiKey: key }
      return [`holdfast-${form}`, { npm, name: 'Holdfast', options, models: Object.fromEntries(offered) }]
    }),
  )
  const config = {
    permission: OPENCODE_PERMISSIONS,
    provider,
    enabled_providers: Object.keys(provider),
    model: `holdfast-${first.form}/${first.id}`,
    small_model: `holdfast-${first.form}/${first.id}`,
    autoupdate: false,
    share: 'disabled',
  }
  return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } }
}

/** What a model takes has to be said: of one that nothing is said of opencode takes pictures out of the message. */
function opencodeModel({
  form,
  name,
  contextWindowTokens: context,
  maxOutputTokens: output,
  takesImages,
}: GatewayChoice) {
  const pictures = takesImages === false ? [] : ['image']
  const input = ['text', ...pictures, ...(form === 'openai-chat' ? [] : ['pdf'])]
  const limit = context === null || output === null ? {} : { limit: { context, output } }
  return { name, tool_call: true, attachment: true, modalities: { input, output: ['text'] }, ...limit }
}

/** Names by which agents that are not known here may call a mode that asks. */
const USUAL_ASK_MODES = ['ask', 'default', 'manual']

/** The modes of an agent that ask, the best first. */
export function askModesOf({ id }: Pick<ExternalAgent, 'id'>): readonly string[] {
  return knownAgent(id)?.askModes ?? USUAL_ASK_MODES
}

/** What is known of an agent; null for one that somebody added. */
export function knownAgent(id: string): KnownAgent | null {
  return KNOWN_AGENTS.find((agent) => agent.id === id) ?? null
}
