import { composeRequest, requestFacts, untilOpenCalls, validateRequest } from '@holdfast/context'
import { type Entry, readStoredEntry, UPCASTS } from '@holdfast/conversation'
import * as z from 'zod'

/** What a driver sent and was told, kept outside of the server. */
export interface History {
  /** The server has said that a message is durable. */
  acknowledged(
    conversationId: string,
    sent: { readonly commandId: string; readonly seq: number; readonly inputId: string },
  ): void
  /** Compares a whole log, as the restarted server gives it, with all that was known of it. */
  compare(conversationId: string, log: readonly unknown[]): void
  report(): { readonly acknowledged: number; readonly lost: number; readonly doubled: number; readonly invalid: number }
  /** What was found, in words. */
  findings(): readonly string[]
}

const Stored = z.looseObject({
  seq: z.int(),
  type: z.string(),
  commandId: z.string().optional(),
  inputId: z.string().optional(),
})

/** Makes a history in which nothing has happened. */
export function createHistory(): History {
  const told = new Map<string, { readonly conversationId: string; readonly seq: number; readonly inputId: string }>()
  const seen = new Map<string, string[]>()
  const counts = { lost: 0, doubled: 0, invalid: 0 }
  const findings: string[] = []
  let entryCount = 0

  function find(kind: keyof typeof counts, text: string): void {
    counts[kind] += 1
    findings.push(`${kind}: ${text}`)
  }

  function checkRuns(conversationId: string, entries: readonly Entry[], from: number): void {
    for (const [index, entry] of entries.entries()) {
      if (index < from || entry.type !== 'run-finished') continue
      for (const problem of problemsOf(entries.slice(0, index + 1)))
        find('invalid', `${conversationId} at ${entry.seq}: ${problem}`)
    }
  }

  return {
    acknowledged(conversationId, { commandId, seq, inputId }) {
      const known = told.get(commandId)
      if (known && (known.seq !== seq || known.inputId !== inputId))
        find('doubled', `${commandId} was acknowledged at ${known.seq} and again at ${seq}`)
      told.set(commandId, { conversationId, seq, inputId })
    },
    compare(conversationId, log) {
      const known = seen.get(conversationId) ?? []
      const now = log.map((entry) => JSON.stringify(entry))
      for (const [index, text] of known.entries())
        if (now[index] !== text) find('lost', `${conversationId} at ${index + 1} was ${text} and is ${now[index]}`)
      const stored = log.map((entry) => Stored.parse(entry))
      for (const [index, { seq }] of stored.entries())
        if (seq !== index + 1) find('lost', `${conversationId} has ${seq} at place ${index + 1}`)
      const admitted = stored.filter(({ type }) => type === 'input-admitted')
      if (new Set(admitted.map(({ commandId }) => commandId)).size < admitted.length)
        find('doubled', `${conversationId} admitted a command twice`)
      for (const [commandId, answer] of told) {
        if (answer.conversationId !== conversationId) continue
        const entry = stored[answer.seq - 1]
        if (entry?.inputId !== answer.inputId || entry.commandId !== commandId)
          find('lost', `${commandId} was acknowledged at ${answer.seq} of ${conversationId} and is not there`)
      }
      checkRuns(
        conversationId,
        log.map((entry) => readStoredEntry(entry, UPCASTS)),
        known.length,
      )
      entryCount += now.length - known.length
      seen.set(conversationId, now)
    },
    report: () => ({ acknowledged: told.size + entryCount, ...counts }),
    findings: () => findings,
  }
}

/** What is wrong with the request that would go out if a person said something after these entries. */
function problemsOf(entries: readonly Entry[]): readonly string[] {
  const last = entries.at(-1)
  if (!last) return []
  const asked: Entry = {
    conversationId: last.conversationId,
    at: last.at,
    v: 1,
    seq: last.seq + 1,
    actor: { type: 'engine' },
    type: 'user-message-sent',
    runId: 'run_next',
    inputId: 'input_next',
    content: [{ type: 'text', text: 'Go on' }],
  }
  const request = composeRequest({
    providerId: 'demo',
    modelId: 'demo',
    providerModelId: 'demo',
    tools: [],
    carried: [],
    settings: {
      system: '',
      parameters: {},
      thinkingBudgetTokens: null,
      maxOutputTokens: null,
      toolChoice: 'auto',
      itemLimitChars: 50_000,
    },
    facts: requestFacts.reduce(requestFacts.initial, entries),
    bindsThinking: true,
    entries: [...untilOpenCalls(entries), asked],
  }).request
  return validateRequest(request).map(({ text }) => text)
}
