/** A way to the house tools of one conversation. [AGENT41] */
export interface HouseAddress {
  /** For who speaks MCP over HTTP, with the key as a bearer. */
  readonly url: string
  readonly key: string
  /** A program that speaks it over its pipes, for who does not. */
  readonly bridge: HouseBridge
  revoke(): void
}

/** A program with what it is started with. */
export interface HouseBridge {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}
