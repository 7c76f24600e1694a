import type { Entry } from '@holdfast/conversation'
import { type ClientFrame, commandProblem, type SendLane, type SentPart, type ServerFrame } from '@holdfast/protocol'
import { PageNotReadError } from '../link/page-not-read-error.ts'
import { createSource, type Observable } from '../values/observable.ts'
import {
  addCommand,
  addOlder,
  addRefused,
  beginFollow,
  type ConversationCommandFrame,
  type ConversationState,
  forgetRefused,
  initialState,
  lacksBeginning,
  lastWaiting,
  markOlder,
  readUpTo,
  reduceFrame,
  refuseUnanswered,
} from './conversation-state.ts'

/** One conversation at this end of the line. It is followed for as long as somebody listens. */
export interface ConversationStore extends Observable<ConversationState> {
  /** Sends words; they stay in the outbox until the log has them. @returns the command's id. */
  send(content: readonly SentPart[], lane: SendLane): string
  /** Asks what runs to stop; by force, no longer to wait for its source. @returns the command's id. */
  stop(how: 'stop' | 'force'): string
  /** Answers a request for permission; the first answer counts. @returns the command's id. */
  answerPermission(answer: PermissionChoice): string
  /** Takes back a permission rule of this conversation. @returns the command's id. */
  revokeRule(ruleId: string): string
  /** Answers a question of a running call; the first answer counts. @returns the command's id. */
  answerQuestion(answer: QuestionChoice): string
  /** Gives settings new values; null returns one to what the agent or the installation says. @returns the command's id. */
  changeSettings(settings: SettingChanges): string
  /** Sends a waiting input next. @returns the command's id. */
  sendInputNow(inputId: string): string
  /** Takes a waiting input out of the queue. @returns the command's id. */
  removeInput(inputId: string): string
  /** Changes a waiting input: its content, place, lane, or whether it is being edited. @returns the command's id. */
  changeInput(inputId: string, change: InputChange): string
  /** Lets a held queue go on. @returns the command's id. */
  releaseQueue(): string
  /** From now on nothing of the queue is sent by itself. @returns the command's id. */
  holdQueue(): string
  /** Sets aside what follows an exchange, and perhaps asks something instead. @returns the command's id. */
  rewind(wish: RewindFields): string
  /** Pins a message of one's own, so that every summary carries it over, or takes the pin off. @returns the command's id. */
  pinMessage(messageSeq: number, isPinned: boolean): string
  /** Lets errors of a preview be mended without a word, or not. [WS4] */
  switchAutoFix(isOn: boolean, previewId: string): string
  /** Leaves the result of a call out of later requests, or takes it back. @returns the command's id. */
  excludeResult(resultSeq: number, isExcluded: boolean): string
  /** Makes a branch that was set aside the path again. @returns the command's id. */
  selectPath(head: number): string
  /** Gives a refused command back: it is taken off `refused`. */
  takeBack(commandId: string): void
  /** Reads the page before the window, unless one is on its way or there is none. */
  loadOlder(): void
}

/** What a waiting input is to be; what is absent stays. */
export type InputChange = Omit<
  Extract<ConversationCommandFrame, { name: 'change-input' }>,
  'type' | 'name' | 'commandId' | 'conversationId' | 'inputId'
>

/** New values of settings, by name. */
export type SettingChanges = Extract<ConversationCommandFrame, { name: 'change-settings' }>['settings']

/** What a rewind keeps, why, and what is asked instead. */
export type RewindFields = Omit<
  Extract<ConversationCommandFrame, { name: 'rewind' }>,
  'type' | 'name' | 'commandId' | 'conversationId'
>

/** A person's answer to a request for permission. */
export type PermissionChoice = Omit<
  Extract<ConversationCommandFrame, { name: 'answer-permission' }>,
  'type' | 'name' | 'commandId' | 'conversationId'
>

/** A person's answer to a question of a running call. */
export type QuestionChoice = Omit<
  Extract<ConversationCommandFrame, { name: 'answer-question' }>,
  'type' | 'name' | 'commandId' | 'conversationId'
>

/** As many of a log's last entries are read when it is opened: a few screens, in one frame. The rest comes by pages. */
const TAIL_ENTRIES = 100

/** The store's other side, for the client. */
export interface ConversationPeer {
  readonly store: ConversationStore
  onFrame(frame: ServerFrame): void
  /** The server is reached over a new line. */
  onLive(): void
  /** The server ended the line for what was sent on it: that is given back. [SYNC8] */
  onLineRefused(): void
  /** A while has passed: what may have been lost is sent again. */
  onBeat(): void
}

/** What it needs. */
export interface ConversationStoreDeps {
  readonly conversationId: string
  /** Commands of an earlier life of the tab that the server has not taken yet. */
  readonly unsent: readonly ConversationCommandFrame[]
  readonly newId: () => string
  readonly tellLater: (tell: () => void) => void
  send(frame: ClientFrame): void
  onOutboxChange(): void
  /** Reads the entries before one, oldest first, as many as a page holds. @throws {PageNotReadError} */
  readBefore(seq: number): Promise<readonly Entry[]>
}

/** Makes the store of one conversation. */
export function createConversationStore(deps: ConversationStoreDeps): ConversationPeer {
  const { conversationId, newId } = deps
  const source = createSource<ConversationState>(
    deps.unsent.reduce(addCommand, initialState(conversationId)),
    deps.tellLater,
  )

  function update(next: ConversationState): void {
    const { outbox } = source.getSnapshot()
    source.set(next)
    if (next.outbox !== outbox) deps.onOutboxChange()
    if (!source.hasListeners()) return
    if (next.gap) follow('same')
    else if (lacksBeginning(next)) void loadOlder()
  }

  function follow(line: 'new' | 'same'): void {
    update(beginFollow(source.getSnapshot(), line))
    const after = readUpTo(source.getSnapshot())
    deps.send({ type: 'follow', conversationId, after, ...(after === 0 ? { tail: TAIL_ENTRIES } : {}) })
  }

  function give(command: ConversationCommandFrame): string {
    const notTaken = commandProblem(command)
    if (notTaken !== null) {
      update(addRefused(source.getSnapshot(), command, notTaken))
      return command.commandId
    }
    const isOrderly = source.getSnapshot().outage === null
    update(addCommand(source.getSnapshot(), command))
    // What waits for the store goes before it.
    if (isOrderly) deps.send(command)
    else resend()
    return command.commandId
  }

  async function loadOlder(): Promise<void> {
    const { window, older } = source.getSnapshot()
    if (window.firstSeq === 1 || older === 'loading') return
    update(markOlder(source.getSnapshot(), 'loading'))
    try {
      const page = await deps.readBefore(window.firstSeq)
      const continues = page.at(-1)?.seq === window.firstSeq - 1
      update(continues ? addOlder(source.getSnapshot(), page) : markOlder(source.getSnapshot(), 'failed'))
    } catch (error) {
      if (!(error instanceof PageNotReadError)) throw error
      update(markOlder(source.getSnapshot(), 'failed'))
    }
  }

  /** Stops first: what is to end must not go on while the rest is sent. [STOP12] */
  function resend(): void {
    const { outbox } = source.getSnapshot()
    for (const first of [true, false]) {
      for (const { command } of outbox) if ((command.name === 'stop-run') === first) deps.send(command)
    }
  }

  const store: ConversationStore = {
    getSnapshot: source.getSnapshot,
    subscribe(listener) {
      const isFirst = !source.hasListeners()
      const unsubscribe = source.subscribe(listener)
      if (isFirst) follow('new')
      return () => {
        unsubscribe()
        if (!source.hasListeners()) deps.send({ type: 'unfollow', conversationId })
      }
    },
    send(content, lane) {
      const behind = lane === 'turn' ? lastWaiting(source.getSnapshot()) : null
      return give({
        type: 'command',
        name: 'send-message',
        commandId: newId(),
        conversationId,
        content: [...content],
        lane,
        ...(behind === null ? {} : { behind }),
      })
    },
    stop(how) {
      const runId = source.getSnapshot().overview.runState.exclusive?.runId
      return give({
        type: 'command',
        name: 'stop-run',
        commandId: newId(),
        conversationId,
        ...(runId === undefined ? {} : { runId }),
        ...(how === 'force' ? { force: true } : {}),
      })
    },
    changeSettings: (settings) =>
      give({ type: 'command', name: 'change-settings', commandId: newId(), conversationId, settings }),
    sendInputNow: (inputId) =>
      give({ type: 'command', name: 'send-input-now', commandId: newId(), conversationId, inputId }),
    removeInput: (inputId) =>
      give({ type: 'command', name: 'remove-input', commandId: newId(), conversationId, inputId }),
    changeInput: (inputId, change) =>
      give({ type: 'command', name: 'change-input', commandId: newId(), conversationId, inputId, ...change }),
    holdQueue: () => give({ type: 'command', name: 'hold-queue', commandId: newId(), conversationId }),
    releaseQueue: () => give({ type: 'command', name: 'release-queue', commandId: newId(), conversationId }),
    rewind: (wish) => give({ type: 'command', name: 'rewind', commandId: newId(), conversationId, ...wish }),
    revokeRule: (ruleId) => give({ type: 'command', name: 'revoke-rule', commandId: newId(), conversationId, ruleId }),
    pinMessage: (messageSeq, isPinned) =>
      give({ type: 'command', name: 'pin-message', commandId: newId(), conversationId, messageSeq, isPinned }),
    switchAutoFix: (isOn, previewId) =>
      give({ type: 'command', name: 'switch-auto-fix', commandId: newId(), conversationId, isOn, previewId }),
    excludeResult: (resultSeq, isExcluded) =>
      give({ type: 'command', name: 'exclude-result', commandId: newId(), conversationId, resultSeq, isExcluded }),
    selectPath: (head) => give({ type: 'command', name: 'select-path', commandId: newId(), conversationId, head }),
    loadOlder: () => void loadOlder(),
    answerPermission: (answer) =>
      give({ type: 'command', name: 'answer-permission', commandId: newId(), conversationId, ...answer }),
    answerQuestion: (answer) =>
      give({ type: 'command', name: 'answer-question', commandId: newId(), conversationId, ...answer }),
    takeBack: (commandId) => update(forgetRefused(source.getSnapshot(), commandId)),
  }

  return {
    store,
    onFrame: (frame) => update(reduceFrame(source.getSnapshot(), frame)),
    onLive() {
      if (source.hasListeners()) follow('new')
      resend()
    },
    onLineRefused: () => update(refuseUnanswered(source.getSnapshot())),
    onBeat() {
      if (source.hasListeners() && !source.getSnapshot().caughtUp) follow('same')
      resend()
    },
  }
}
