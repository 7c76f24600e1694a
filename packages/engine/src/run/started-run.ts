import type { AppendResult } from '../log/live-log.ts'

/** The run that stands in the log for one that a person asked for: that of an earlier time where the command came again. [LOG4] */
export function startedRun({ entries }: AppendResult, runId: string): string {
  const started = entries.find((entry) => entry.type === 'run-started')
  return started?.type === 'run-started' ? started.runId : runId
}
