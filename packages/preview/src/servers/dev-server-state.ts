/** How a dev server stands. */
export interface DevServerState {
  readonly state: 'stopped' | 'starting' | 'ready' | 'crashed'
  readonly command: string | null
  /** The one that is shown. */
  readonly port: number | null
  readonly ports: readonly number[]
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null
  readonly restartCount: number
  readonly problem: string | null
}

/** One that was never started. */
export const STOPPED: DevServerState = {
  state: 'stopped',
  command: null,
  port: null,
  ports: [],
  exit: null,
  restartCount: 0,
  problem: null,
}
