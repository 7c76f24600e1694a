import type { Engine } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import type { Host, Hosts } from '../live/hosts.ts'
import { admitOccurrence } from './admit-occurrence.ts'
import { noteAgent } from './agents.ts'
import { answerCalls } from './answer-calls.ts'
import { answerPermission } from './answer-permission.ts'
import { answerQuestion } from './answer-question.ts'
import { askForRun } from './ask-for-run.ts'
import { mendPreview, switchAutoFix } from './auto-fix.ts'
import type { BeginByCommand, CarryOutCommand } from './carry-out.ts'
import { changeCanvas } from './change-canvas.ts'
import { editCheckpoint, undoCheckpoint } from './change-checkpoint.ts'
import { changeConversation, reset } from './change-conversation.ts'
import { addAlwaysRule, addRule, checkedRule, dismissSuggestion, judgeOpenRequests } from './change-rules.ts'
import { changeSettings, revokeRule } from './change-settings.ts'
import { conversationIdOf, create } from './create-conversation.ts'
import { deleteConversation, eraseEntries } from './delete-conversation.ts'
import { excludeResult } from './exclude-result.ts'
import { fork } from './fork.ts'
import { rewind, selectPath } from './path-commands.ts'
import { pinMessage } from './pin-message.ts'
import { changeInput, holdQueue, releaseQueue, removeInput, sendInputNow } from './queue-commands.ts'
import { decideChanges } from './review-changes.ts'
import { admit } from './send-message.ts'
import { stopRun } from './stop-run.ts'
import { toolsToJudge } from './tools-to-judge.ts'

/** What changes a conversation, or what holds for all of a person's. */
export type EngineCommands = Pick<
  Engine,
  | 'createConversation'
  | 'sendMessage'
  | 'admitOccurrence'
  | 'stopRun'
  | 'changeInput'
  | 'removeInput'
  | 'sendInputNow'
  | 'holdQueue'
  | 'releaseQueue'
  | 'answerPermission'
  | 'answerQuestion'
  | 'answerCalls'
  | 'changeSettings'
  | 'changeCanvas'
  | 'changeConversation'
  | 'pinMessage'
  | 'excludeResult'
  | 'makeCheckpoint'
  | 'editCheckpoint'
  | 'undoCheckpoint'
  | 'makeTitle'
  | 'rewind'
  | 'selectPath'
  | 'fork'
  | 'reset'
  | 'decideChanges'
  | 'switchAutoFix'
  | 'mendPreview'
  | 'noteAgent'
  | 'addRule'
  | 'revokeRule'
  | 'addAlwaysRule'
  | 'dismissSuggestion'
  | 'deleteConversation'
  | 'eraseEntries'
>

/** What the commands work with. */
export interface EngineCommandsDeps {
  readonly ports: EnginePorts
  readonly hosts: Hosts
  readonly command: CarryOutCommand
  readonly begin: BeginByCommand
  /** Starts to work on what waits. */
  readonly wake: (host: Host) => void
  /** Told where words were erased without a new entry. */
  readonly forgetContext: (conversationId: string) => void
}

/** Makes the commands of an engine: each by the function that carries it out, on the host of its conversation. */
export function createCommands(deps: EngineCommandsDeps): EngineCommands {
  const { ports, hosts, command, begin } = deps
  return {
    async createConversation(asked) {
      const conversationId = asked.conversationId ?? conversationIdOf(ports, asked)
      await hosts.use(conversationId, ({ log }) => create(ports, log, asked))
      return { conversationId }
    },
    sendMessage: (asked) => command(asked, (host) => begin(host, (log) => admit(ports, log, asked))),
    admitOccurrence: (asked) => command(asked, ({ log }) => admitOccurrence(ports, log, asked)),
    stopRun: (asked) => command(asked, (host) => stopRun(ports, host, asked)),
    changeInput: (asked) => command(asked, ({ log }) => changeInput(ports, log, asked)),
    removeInput: (asked) => command(asked, ({ log }) => removeInput(ports, log, asked)),
    sendInputNow: (asked) => command(asked, ({ log }) => sendInputNow(ports, log, asked)),
    holdQueue: (asked) => command(asked, ({ log }) => holdQueue(ports, log, asked)),
    releaseQueue: (asked) => command(asked, ({ log }) => releaseQueue(ports, log, asked)),
    answerPermission: (asked) => command(asked, ({ log }) => answerPermission(ports, log, asked)),
    answerQuestion: (asked) => command(asked, ({ log }) => answerQuestion(ports, log, asked)),
    answerCalls: (asked) => command(asked, ({ log }) => answerCalls(ports, log, asked)),
    changeSettings: (asked) => command(asked, ({ log }) => changeSettings(ports, log, asked)),
    changeCanvas: (asked) => command(asked, ({ log }) => changeCanvas(ports, log, asked)),
    changeConversation: (asked) => command(asked, ({ log }) => changeConversation({ ports, hosts, log }, asked)),
    pinMessage: (asked) => hosts.use(asked.conversationId, ({ log }) => pinMessage(ports, log, asked)),
    excludeResult: (asked) => hosts.use(asked.conversationId, ({ log }) => excludeResult(ports, log, asked)),
    makeCheckpoint: (asked) => askForRun(deps, asked, { type: 'checkpoint', focus: asked.focus }),
    editCheckpoint: (asked) => hosts.use(asked.conversationId, ({ log }) => editCheckpoint(ports, log, asked)),
    undoCheckpoint: (asked) => hosts.use(asked.conversationId, ({ log }) => undoCheckpoint(ports, log, asked)),
    makeTitle: (asked) => askForRun(deps, asked, { type: 'title', focus: null }),
    rewind: (asked) => command(asked, ({ log }) => rewind(ports, log, asked)),
    selectPath: (asked) => command(asked, ({ log }) => selectPath(ports, log, asked)),
    fork: (asked) => hosts.use(asked.conversationId, ({ log }) => fork({ ports, hosts, log }, asked)),
    reset: (asked) => command(asked, ({ log }) => reset({ ports, hosts, log }, asked)),
    decideChanges: (asked) => command(asked, ({ log }) => decideChanges(ports, log, { command: asked, rejected: [] })),
    switchAutoFix: (asked) => command(asked, ({ log }) => switchAutoFix(ports, log, asked)),
    noteAgent: (asked) => command(asked, ({ log }) => noteAgent(log, asked)),
    mendPreview: (asked) => command(asked, ({ log }) => mendPreview(ports, log, asked)),
    addRule: (asked) => command(asked, ({ log }) => addRule(ports, log, asked)),
    revokeRule: (asked) => command(asked, ({ log }) => revokeRule(ports, log, asked)),
    async addAlwaysRule(asked) {
      const tools = await toolsToJudge(ports, { ownerId: asked.ownerId, conversationId: null })
      const added = await addAlwaysRule(ports, { ...asked, rule: checkedRule(asked.rule, tools) })
      await judgeOpenRequests(deps, { ownerId: asked.ownerId, ruleId: added.ruleId })
      return added
    },
    dismissSuggestion: (asked) => dismissSuggestion(ports, asked),
    deleteConversation: (conversationId) =>
      hosts.use(conversationId, (host) => deleteConversation({ ports, hosts }, host)),
    eraseEntries: (erasure) =>
      command(erasure, async (host) => {
        const erased = await eraseEntries({ ports, hosts }, host, erasure)
        deps.forgetContext(erasure.conversationId)
        return erased
      }),
  }
}
