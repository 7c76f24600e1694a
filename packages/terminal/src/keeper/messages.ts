/** What the server tells the keeper. Both are of one version and of one program: nobody else speaks on these pipes. */
export type KeeperOrder =
  | {
      readonly type: 'open'
      readonly terminalId: string
      readonly program: string
      readonly args: readonly string[]
      readonly folder: string
      readonly environment: Readonly<Record<string, string>>
      readonly columns: number
      readonly rows: number
    }
  | { readonly type: 'attach'; readonly terminalId: string; readonly viewerId: string }
  | { readonly type: 'detach'; readonly terminalId: string; readonly viewerId: string }
  /** The viewer has drawn all up to there. */
  | { readonly type: 'read'; readonly terminalId: string; readonly viewerId: string; readonly through: number }
  | { readonly type: 'input'; readonly terminalId: string; readonly text: string }
  | { readonly type: 'resize'; readonly terminalId: string; readonly columns: number; readonly rows: number }
  /** Hangs up: programs of the terminal are told so as when a window is closed. */
  | { readonly type: 'hang-up'; readonly terminalId: string }

/** What the keeper tells the server. */
export type KeeperReport =
  | { readonly type: 'opened'; readonly terminalId: string; readonly pid: number }
  | { readonly type: 'not-opened'; readonly terminalId: string; readonly message: string }
  /** What follows draws the whole screen anew, in a terminal of this size. */
  | {
      readonly type: 'screen'
      readonly terminalId: string
      readonly viewerId: string
      readonly columns: number
      readonly rows: number
    }
  /** `end`: how much this viewer was sent with it, since it attached, in UTF-16 code units. */
  | {
      readonly type: 'output'
      readonly terminalId: string
      readonly viewerId: string
      readonly text: string
      readonly end: number
    }
  | { readonly type: 'resized'; readonly terminalId: string; readonly columns: number; readonly rows: number }
  | { readonly type: 'exited'; readonly terminalId: string; readonly exitCode: number; readonly signal: number }
