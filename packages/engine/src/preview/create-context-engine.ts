import { breakdownOf, contextUse, headOfPath, requestItems, thinkingLeftOut } from '@holdfast/context'
import type { Entry, EntryOf } from '@holdfast/conversation'
import type { ConversationCommand } from '../api/command-base.ts'
import type { CheckpointCommand, ContextEngine, ContextReport, EditCheckpoint } from '../api/context-engine.ts'
import { RunActiveError } from '../api/conversation-engine.ts'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import { unknownCheckpoint } from '../api/refused-command-error.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { carriedOutBefore, carryOut, commandKey } from '../commands/commands.ts'
import { excludeResult } from '../commands/exclude-result.ts'
import { pinMessage } from '../commands/pin-message.ts'
import type { AskedRun, Host, Hosts } from '../log/hosts.ts'
import type { LiveLog } from '../log/live-log.ts'
import { createPathReader, entryAt } from '../log/path-reader.ts'
import { composeTurn, modelOf, priceOf, type TurnRequest } from '../request/turn-request.ts'
import { composeNext } from './compose-next.ts'
import type { KnownContexts } from './known-contexts.ts'
import { priceNew, priceNext } from './price-next.ts'
import { receiptOf } from './receipt.ts'

/** What the commands about the context work with. */
export interface ContextEngineDeps {
  readonly ports: EnginePorts
  readonly hosts: Hosts
  readonly contexts: KnownContexts
  readonly wake: (host: Host) => void
}

/** Makes the part of the engine that works on what the model is sent. */
export function createContextEngine({ ports, hosts, contexts, wake }: ContextEngineDeps): ContextEngine {
  /**
   * Puts what a person asked for at its place and waits until its run is in the log. A checkpoint needs the conversation at rest. The
   * same command again is answered with the run that it began. [LOG4]
   */
  async function askFor(command: ConversationCommand, type: AskedRun['type'], focus: string | null) {
    const { conversationId } = command
    const asked = [type, focus]
    return hosts.use(conversationId, async (host) => {
      // Its first entry may be durable, and on its way to this process.
      if (host.log.overview().head === 0) await host.log.refresh()
      if (host.log.overview().head === 0) throw new UnknownConversationError(conversationId)
      const before = (await carriedOutBefore(ports, host.log, { command, asked }))?.flatMap(begunRun)[0]
      if (before !== undefined) return { runId: before }
      const key = commandKey(ports, { command, asked })
      if (host.askedRun?.command.commandId === key.commandId) return { runId: await host.askedRun.begun.promise }
      const { exclusive, side } = host.log.overview().runState
      const runs = type === 'checkpoint' ? exclusive : side[0]
      if (runs || host.askedRun) throw new RunActiveError(conversationId, runs?.runId ?? null)
      const runId = ports.ids.next('run')
      const begun = Promise.withResolvers<string>()
      host.askedRun = { type, runId, focus, command: key, begun }
      wake(host)
      return { runId: await begun.promise }
    })
  }

  async function reportOf(log: LiveLog, choice: ModelChoice): Promise<ContextReport> {
    const path = createPathReader(log, log.conversationId)
    return contextReport(await composeTurn({ log, path }, choice))
  }

  return {
    makeCheckpoint: (command) => askFor(command, 'checkpoint', command.focus),
    makeTitle: (command) => askFor(command, 'title', null),
    editCheckpoint: (command) => hosts.use(command.conversationId, ({ log }) => editCheckpoint(ports, log, command)),
    undoCheckpoint: (command) => hosts.use(command.conversationId, ({ log }) => undoCheckpoint(ports, log, command)),
    contextOf: (conversationId) =>
      hosts.use(conversationId, async ({ log }) => {
        const state = log.overview()
        if (state.head === 0) throw new UnknownConversationError(conversationId)
        const model = modelOf(ports.models(), state)
        const isBusy = (state.runState.exclusive?.openCalls.length ?? 0) > 0
        if (model.type === 'missing' || isBusy) return null
        return contexts.once({ log, model: model.choice }, () => reportOf(log, model.choice))
      }),
    pinMessage: (command) => hosts.use(command.conversationId, ({ log }) => pinMessage(ports, log, command)),
    excludeResult: (command) => hosts.use(command.conversationId, ({ log }) => excludeResult(ports, log, command)),
    priceOfNew: (question) => priceNew(ports, question),
    priceOf: (question) => hosts.use(question.conversationId, ({ log }) => priceNext(ports, log, question)),
    receiptOf: (asked) => receiptOf(ports, asked),
    async nextRequest(conversationId) {
      const at = await hosts.use(conversationId, async ({ log }) => {
        const { head, runState } = log.overview()
        if (head === 0) throw new UnknownConversationError(conversationId)
        const isBusy = (runState.exclusive?.openCalls.length ?? 0) > 0
        return isBusy ? null : composeNext({ ports, log, said: [] }, [])
      })
      if (at === null) return null
      const { request, anchors, windowStartSeq, estimatedInputTokens, composed, path, model, ratio, composedFrom } = at
      const { items, leftOut } = requestItems(composed, {
        entries: path.entries,
        modelId: model.modelId,
        ratio,
        pinnedSeqs: composedFrom.pins,
        excludedSeqs: composedFrom.exclusions,
      })
      const { cache } = priceOf(at, ports.clock.now())
      return { request, anchors, windowStartSeq, estimatedInputTokens, items, leftOut, cache }
    },
  }
}

function contextReport(at: TurnRequest): ContextReport {
  const { model, tokens, limits, composed, path, ratio, toolSources } = at
  const use = contextUse(tokens, {
    windowTokens: limits?.windowTokens ?? null,
    reservedTokens: limits?.reservedOutputTokens ?? 0,
  })
  const breakdown = breakdownOf(composed, {
    modelId: model.modelId,
    ratio,
    totalTokens: use.usedTokens,
    toolSources,
  })
  const thinkingLeftOutSeqs = thinkingLeftOut(composed, path.entries)
  return { ...use, breakdown, modelId: model.modelId, thinkingLeftOutSeqs }
}

/** The run that a command began, by what it left. */
function begunRun(entry: Entry): string[] {
  return entry.type === 'run-started' ? [entry.runId] : []
}

/** Other words for the same range; the checkpoint before stays readable. [CHK7] */
async function editCheckpoint(ports: EnginePorts, log: LiveLog, command: EditCheckpoint): Promise<void> {
  const { actor, commandId, checkpointSeq, summary } = command
  const known = await countingCheckpoint(ports, log, command)
  const { coversFromSeq, coversToSeq, keptFromSeq, verbatimSeqs, listedSeqs, focus } = known
  await carryOut(ports, log, { command, asked: ['edit-checkpoint', checkpointSeq, summary] }, (state) => {
    mustRest(log, state.runState.exclusive?.runId ?? null)
    return [
      {
        type: 'checkpoint-made',
        actor,
        commandId,
        source: 'edit',
        summary,
        coversFromSeq,
        coversToSeq,
        keptFromSeq,
        verbatimSeqs: [...verbatimSeqs],
        ...(listedSeqs === undefined ? {} : { listedSeqs }),
        ...(focus === undefined ? {} : { focus }),
      },
    ]
  })
}

/** Requests hold what it covered again, as far as it fits. [CHK7] */
async function undoCheckpoint(ports: EnginePorts, log: LiveLog, command: CheckpointCommand): Promise<void> {
  const { actor, commandId, checkpointSeq } = command
  await countingCheckpoint(ports, log, command)
  await carryOut(ports, log, { command, asked: ['undo-checkpoint', checkpointSeq] }, (state) => {
    mustRest(log, state.runState.exclusive?.runId ?? null)
    return [{ type: 'checkpoint-undone', actor, commandId, checkpointSeq }]
  })
}

function mustRest({ conversationId }: LiveLog, runId: string | null): void {
  if (runId !== null) throw new RunActiveError(conversationId, runId)
}

/** The checkpoint of the command, if it is the one that requests stand on now. */
async function countingCheckpoint(
  { store }: EnginePorts,
  log: LiveLog,
  { checkpointSeq }: CheckpointCommand,
): Promise<EntryOf<'checkpoint-made'>> {
  const { conversationId } = log
  const { entries, carried } = await createPathReader(store, conversationId).read(log.overview(), 0)
  const { checkpoint } = headOfPath(entries, carried)
  const known = await entryAt(store, { conversationId, seq: checkpointSeq, type: 'checkpoint-made' })
  if (known === null || checkpoint?.seq !== checkpointSeq) throw unknownCheckpoint(checkpointSeq)
  return known
}
