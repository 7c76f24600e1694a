/** What a launcher is told: a program to start. */
export interface LaunchOrder {
  readonly type: 'launch'
  /** Nobody can guess it: pipes say it first, so that no stranger's is taken for one of the program. */
  readonly launchId: string
  readonly program: string
  readonly args: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly hasInput: boolean
}

/** What a launcher is told: the group of a program is noted, and ends without it from here on. [RUN33] */
export interface LaunchNoted {
  readonly type: 'noted'
  readonly launchId: string
}

/** What a launcher says of one program. */
export type LaunchReport =
  | { readonly type: 'started'; readonly launchId: string; readonly pid: number }
  | { readonly type: 'not-started'; readonly launchId: string; readonly code: string | null; readonly message: string }
  | {
      readonly type: 'exited'
      readonly launchId: string
      readonly exitCode: number | null
      readonly signalCode: NodeJS.Signals | null
    }

/** The pipes of a program, by the numbers that it knows them by. */
export const PIPE_NUMBERS = [0, 1, 2] as const

/** The number of a pipe of a program. */
export type PipeNumber = (typeof PIPE_NUMBERS)[number]

/** What a pipe says first: whose it is. Always of the same length. */
export function pipeGreeting(launchId: string, number: PipeNumber): string {
  return `${launchId}.${number}`
}
