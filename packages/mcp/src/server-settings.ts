/** A server that is started as a process and spoken to over its pipes. Only the operator's configuration names one. */
export interface StdioReach {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** Added to the harmless part of our own environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Where it runs; null for where Holdfast runs. */
  readonly folder: string | null
}

/** A server at an address. */
export interface HttpReach {
  readonly type: 'http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** One MCP server of the installation. */
export interface McpServerSettings {
  /** Stands before the names of its tools; see `SERVER_NAME`. */
  readonly name: string
  readonly reach: StdioReach | HttpReach
  /** The longest that a call may take, in milliseconds. */
  readonly timeoutMs: number
  /** A call of which nothing is heard for so long has failed, in milliseconds; progress starts it anew. */
  readonly silenceMs: number
  /** Whether it is to be connected. */
  readonly on: boolean
  /** Present where it may ask for a conversation's model, each time with a person's consent. [TOOL13] */
  readonly sampling?: true
  /** Present where a sign-in with it is used for everybody, and not for admins alone. [SEC23] */
  readonly sharesSignIn?: true
}

/**
 * What servers may be called. Two underscores stand between server and tool: a name that has none, and does not end
 * in one, makes the first two of a tool's name the border.
 */
export const SERVER_NAME = /^(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,38}[A-Za-z0-9])?$/

/** Bounds on what one server may take of ours. Sizes in bytes of UTF-8, times in milliseconds. */
export const SERVER_LIMITS = {
  /** From the start of a connection to its list of tools. */
  connectMs: 30_000,
  /** For a list of tools, resources or prompts with all its pages. */
  listMs: 30_000,
  listPages: 1_000,
  tools: 10_000,
  descriptionChars: 20_000,
  schemaChars: 100_000,
  instructionsChars: 20_000,
  /** One message of a server. */
  messageBytes: 33_554_432,
  /** Messages that are read within a second; the rest waits in the server's pipe. */
  messagesPerSecond: 2_000,
  /** Between two reports of progress that are passed on. */
  progressEveryMs: 100,
  logLines: 500,
  logLineChars: 2_000,
  /** A call waits so long for a server that is being connected. */
  waitForServerMs: 30_000,
  /** Between the end of a server's input and its signal, and again between TERM and KILL. */
  graceMs: 2_000,
  /** From the first pause to the longest between attempts. */
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  /** A server that stayed connected for so long is restarted without delay. */
  steadyMs: 60_000,
  /** Pictures of one result, and bytes of each in base64. */
  pictures: 20,
  pictureChars: 14_000_000,
} as const
