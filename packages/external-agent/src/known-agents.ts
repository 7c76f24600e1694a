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
  /** Modes that ask before something is changed, the best first. [AGENT6] */
  readonly askModes: readonly string[]
  /** Variables that lead its requests to a model to another address. */
  readonly gatewayEnv: (gateway: { readonly origin: string; readonly key: string }) => Readonly<Record<string, string>>
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
    askModes: ['build'],
    gatewayEnv: ({ origin, key }) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        permission: OPENCODE_PERMISSIONS,
        provider: {
          anthropic: { options: { baseURL: `${origin}/anthropic/v1`, apiKey: key } },
          openai: { options: { baseURL: `${origin}/openai/v1`, apiKey: key } },
          google: { options: { baseURL: `${origin}/google/v1beta`, apiKey: key } },
        },
      }),
    }),
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    command: 'gemini',
    args: ['--experimental-acp'],
    env: {},
    install: 'npm install -g @google/gemini-cli',
    askModes: ['default'],
    gatewayEnv: ({ origin, key }) => ({ GOOGLE_GEMINI_BASE_URL: `${origin}/google`, GEMINI_API_KEY: key }),
  },
  {
    id: 'claude',
    name: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    env: {},
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    askModes: ['default'],
    gatewayEnv: ({ origin, key }) => ({ ANTHROPIC_BASE_URL: `${origin}/anthropic`, ANTHROPIC_API_KEY: key }),
  },
  {
    id: 'codex',
    name: 'Codex',
    command: 'codex-acp',
    args: [],
    env: {},
    install: 'npm install -g codex-acp',
    askModes: ['read-only'],
    gatewayEnv: ({ origin, key }) => ({ OPENAI_BASE_URL: `${origin}/openai/v1`, OPENAI_API_KEY: key }),
  },
]

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
