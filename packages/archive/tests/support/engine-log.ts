import { composeRequest, type RequestSource, requestFacts, validateRequest } from '@holdfast/context'
import { activePath, type Entry, entriesOnPath, overview, pathRanges } from '@holdfast/conversation'

/** What of a log the engine could not have written, in words; empty when it could. [RUN1, TOOL2, PRJ6, REQ2] */
export function faultsOfLog(log: readonly Entry[]): string[] {
  return [...runFaults(log), ...callFaults(log), ...pathFaults(log), ...stateFaults(log), ...requestFaults(log)]
}

function runFaults(log: readonly Entry[]): string[] {
  const faults: string[] = []
  let open: string | null = null
  const ended = new Set<string>()
  for (const entry of log) {
    const { seq } = entry
    if (entry.type === 'run-started') {
      if (open !== null) faults.push(`${seq}: run ${entry.runId} begins while ${open} is open`)
      if (ended.has(entry.runId)) faults.push(`${seq}: run ${entry.runId} begins again`)
      open = entry.runId
    } else if (entry.type === 'run-finished') {
      if (open !== entry.runId) faults.push(`${seq}: run ${entry.runId} ends, open is ${open}`)
      open = null
      ended.add(entry.runId)
    } else if (entry.type !== 'tool-result-late' && 'runId' in entry && entry.runId !== open) {
      faults.push(`${seq}: ${entry.type} of run ${entry.runId}, open is ${open}`)
    }
  }
  return open === null ? faults : [...faults, `run ${open} never ends`]
}

function callFaults(log: readonly Entry[]): string[] {
  const faults: string[] = []
  let open: string[] = []
  for (const entry of log) {
    const { seq } = entry
    if (entry.type === 'step-started' && open.length > 0)
      faults.push(`${seq}: a request goes out while ${open} are open`)
    if (entry.type === 'step-finished')
      open = entry.blocks.flatMap((block) => (block.type === 'tool-call' ? [`${entry.stepId} ${block.callId}`] : []))
    if (new Set(open).size !== open.length) faults.push(`${seq}: two calls of a step have one id`)
    if (entry.type !== 'tool-call-settled') continue
    const call = `${entry.stepId} ${entry.callId}`
    if (!open.includes(call)) faults.push(`${seq}: call ${call} settles and is not open`)
    open = open.filter((one) => one !== call)
  }
  return open.length === 0 ? faults : [...faults, `calls ${open} never settle`]
}

function pathFaults(log: readonly Entry[]): string[] {
  const ends = new Set([0])
  const faults: string[] = []
  for (const entry of log) {
    if (entry.type === 'run-finished') ends.add(entry.seq)
    const target = entry.type === 'path-rewound' ? entry.toSeq : entry.type === 'path-selected' ? entry.headSeq : 0
    if (!ends.has(target)) faults.push(`${entry.seq}: the path goes to ${target}, which is no end of an exchange`)
  }
  return faults
}

function stateFaults(log: readonly Entry[]): string[] {
  const { queue, runState, pendingPermissions } = overview.reduce(overview.initial, log)
  return [
    ...(queue.inputs.length > 0 ? [`${queue.inputs.length} inputs wait`] : []),
    ...(runState.exclusive ? ['a run is open'] : []),
    ...(pendingPermissions.length > 0 ? ['a permission is awaited'] : []),
    ...(log[0]?.type === 'conversation-created' ? [] : ['it does not begin as logs do']),
    ...(log.slice(1).some(({ type }) => type === 'conversation-created') ? ['it begins twice'] : []),
  ]
}

function requestFaults(log: readonly Entry[]): string[] {
  return log.flatMap((entry) => {
    if (entry.type !== 'step-started') return []
    const { request } = composeRequest(sourceOf(log.slice(0, entry.seq - 1), entry))
    return validateRequest(request).map(({ text }) => `the request of ${entry.seq}: ${text}`)
  })
}

function sourceOf(log: readonly Entry[], model: { providerId: string; modelId: string }): RequestSource {
  return {
    providerId: model.providerId,
    modelId: model.modelId,
    providerModelId: 'model',
    tools: [],
    settings: {
      system: '',
      parameters: {},
      thinkingBudgetTokens: null,
      maxOutputTokens: 8_000,
      toolChoice: 'auto',
      itemLimitChars: 50_000,
    },
    facts: requestFacts.reduce(requestFacts.initial, log),
    bindsThinking: true,
    entries: entriesOnPath(log, pathRanges(activePath.reduce(activePath.initial, log))),
    carried: log.filter(({ type }) => type === 'user-message-sent' || type === 'checkpoint-made'),
  }
}
