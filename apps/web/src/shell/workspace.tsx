import type { Client, ConversationStore, SettingChanges } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { EXTERNAL_AGENT, visibleItems } from '@holdfast/conversation'
import type { SendLane, SentPart } from '@holdfast/protocol'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useAgentInUse } from '../agents/agent-in-use.ts'
import { AgentLine, ChosenAgent } from '../agents/agent-line.tsx'
import { ExternalChoices } from '../agents/external/choices-later.ts'
import { CanvasToasts } from '../canvas/canvas-toasts.tsx'
import { Composer, type ComposerPhase } from '../composer/composer.tsx'
import { ContextLine } from '../composer/context/context-ruler.tsx'
import { fullnessOf } from '../composer/context/fullness.ts'
import { isDemo, useModelInUse } from '../composer/context/model-choice.ts'
import { ModelPicker } from '../composer/context/model-picker.tsx'
import { remediesOf } from '../composer/context/remedies.ts'
import { ThinkingPicker } from '../composer/context/thinking-picker.tsx'
import { useContextUse } from '../composer/context/use-context-use.ts'
import { ChosenMode } from '../composer/mode-picker.tsx'
import { queueRows } from '../composer/pending.ts'
import { NextPrice } from '../composer/price/message-price.tsx'
import { SwitchPrice, useSwitch } from '../composer/price/switch-price.tsx'
import { actOnQueue, useCleared } from '../composer/queue/queue-act.ts'
import { isBeingEdited, shownInputs } from '../composer/queue/queue-order.ts'
import { useUnreadHere } from '../composer/unread-here.ts'
import { ledgerWord } from '../inspector/ledger-word.ts'
import { useFollowReset } from '../reset/begin-anew.ts'
import { told } from '../shared/ask-server.ts'
import { askedSetting } from '../shared/asked-setting.ts'
import { besideText, costOfTotals, costText, costTitle } from '../shared/cost-words.ts'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { problemText } from '../shared/problem-words.ts'
import { tell } from '../shared/toasts/toasts.ts'
import { useLedger } from '../shared/use-ledger.ts'
import { type AskedErasure, createThreadActs } from '../thread/message/thread-acts.ts'
import { Thread } from '../thread/thread.tsx'
import { wordsOf } from '../thread/thread-parts.ts'
import { answerByChord } from '../tools/answer-request.ts'
import { PermissionDock } from '../tools/permission-dock.tsx'
import { ChosenWorkspace } from '../workspaces/chosen-workspace.tsx'
import { Announcer } from './announcer.tsx'
import { beginDemo } from './begin-conversation.ts'
import { ConnectionLine, UnsentStop, WriteProblem } from './connection-state.tsx'
import { useNamedElements, useNamedThings } from './named-things.ts'
import { commandsIn } from './page-commands.ts'
import { VoiceControls } from './voice-later.ts'
import { Welcome } from './welcome.tsx'
import { welcomeModel } from './welcome-model.ts'

const EraseDialog = later(async () => (await import('../thread/message/erase-dialog.tsx')).EraseDialog)
const SubAgentLines = later(async () => (await import('../agents/sub-agent-lines.tsx')).SubAgentLines)
const GoneWorktree = later(async () => (await import('../workspaces/gone-worktree.tsx')).GoneWorktree)
const DamageNotice = later(async () => (await import('../archive/damage-notice.tsx')).DamageNotice)

const NO_SERVERS: readonly string[] = []

/** One conversation: its thread, and where one writes. */
export function ConversationView({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const overview = useConversation(store, (state) => state.overview)
  const outbox = useConversation(store, (state) => state.outbox)
  const refused = useConversation(store, (state) => state.refused)
  const problem = useConversation(store, (state) => state.problem)
  const isCaughtUp = useConversation(store, (state) => state.caughtUp)
  const hasUnreadPage = useConversation(store, (state) => state.older === 'failed')
  const isOnline = useObservable(client.link, (link) => link.type === 'live')
  const [asked, askToErase] = useState<AskedErasure | null>(null)
  const acts = useMemo(() => createThreadActs(client, store, askToErase), [client, store])
  const context = client.context(conversationId)
  const modelSwitch = useSwitch(context, store.changeSettings)
  const models = useObservable(client.models, ({ value }) => value)
  const model = useModelInUse(client, store)
  const isExternal = model.modelId?.startsWith(EXTERNAL_AGENT) === true
  const use = useContextUse(client, store).value ?? null
  const remedies = useMemo(() => remediesOf(context, store), [context, store])
  const named = useNamedThings({ client, conversationId, workspaceId: null, elements: useNamedElements(store) })
  const unread = useUnreadHere(client, conversationId)
  const phase = phaseOf(store)
  useFollowReset(client, store)
  useToldRefusedStops(store)
  const cleared = useCleared()
  const visibleRefusals = refused.filter(
    ({ command, problem: { code } }) =>
      (command.name !== 'stop-run' || code !== 'nothing-runs') &&
      // A lock of what was sent meanwhile: its editor says so.
      (command.name !== 'change-input' || command.locked === undefined || command.content !== undefined),
  )

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      answerByChord(store, event)
      if (event.target === document.body && document.querySelector('dialog[open]') === null) stopByEscape(store, event)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [store])

  function chooseModel(modelId: string): void {
    modelSwitch.ask(say('page.switch-to', { model: modelId }), { modelId })
  }

  function send(content: readonly SentPart[], lane: SendLane): void {
    store.send(content, lane)
  }

  if (problem?.code === 'damaged-log') {
    return (
      <div className="workspace" style={{ flex: 1 }}>
        <Thread store={store} context={context} acts={acts} attachments={client.attachments}>
          {null}
        </Thread>
        <Suspense fallback={null}>
          <DamageNotice client={client} conversationId={conversationId} isKnown />
        </Suspense>
      </div>
    )
  }
  if (problem) {
    return (
      <div className="notice-page">
        <h2>
          {problem.code === 'unknown-conversation'
            ? say('page.there-is-no-such-conversation')
            : say('page.this-conversation-cannot-be-shown')}
        </h2>
        <p>{problemText(problem)}</p>
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc stops wherever the focus is in here
    <div className="workspace" style={{ flex: 1 }} onKeyDown={(event) => stopByEscape(store, event.nativeEvent)}>
      <Thread store={store} context={context} acts={acts} attachments={client.attachments}>
        {isCaughtUp && outbox.length === 0 && overview.queue.inputs.length === 0 && (
          <ConversationWelcome
            client={client}
            store={store}
            onStart={(text) => send([{ type: 'text', text }], 'turn')}
          />
        )}
      </Thread>
      {hasUnreadPage && (
        <Suspense fallback={null}>
          <DamageNotice client={client} conversationId={conversationId} isKnown={false} />
        </Suspense>
      )}
      <div className="composer-frame">
        <CanvasToasts store={store} />
        <PermissionDock store={store} />
        <UnsentStop client={client} store={store} />
        <WriteProblem store={store} />
        <ConnectionLine client={client} store={store} />
        <AgentLine client={client} store={store} onChoose={modelSwitch.ask} />
        <Suspense fallback={null}>
          <GoneWorktree client={client} store={store} />
          <SubAgentLines client={client} store={store} />
          <VoiceControls client={client} store={store} agentId={overview.settings.agentId ?? null} />
        </Suspense>
        <Composer
          key={conversationId}
          unsent={client.composer(conversationId)}
          phase={phase}
          isOnline={isOnline}
          conversationId={conversationId}
          queue={queueRows(outbox, overview).filter(({ key }) => !cleared.includes(key))}
          isQueueKnown={isCaughtUp}
          isQueueHeld={overview.queue.held !== null}
          refused={visibleRefusals}
          unread={unread}
          onSend={async (content, lane) => send(content, lane)}
          tools={client.tools(conversationId)}
          excludedServers={overview.settings.excludedSources ?? NO_SERVERS}
          commands={commandsIn(
            { client, models, onModel: (modelId) => chooseModel(modelId), modelId: model.modelId },
            store,
          )}
          named={named}
          lastSent={() => lastSentWords(store)}
          onStop={store.stop}
          onTakeBack={store.takeBack}
          onQueueAct={(act) => actOnQueue(store, act)}
          ruler={<ContextLine use={use} remedies={remedies} />}
          remedies={use?.heldBy === 'conversation' && fullnessOf(use) === 'over' ? remedies : null}
          attachments={client.attachments}
          model={model}
          price={(content) =>
            modelSwitch.asked ? (
              <SwitchPrice asked={modelSwitch.asked} />
            ) : isExternal ? null : (
              <NextPrice context={context} store={store} content={content} />
            )
          }
        >
          <ChosenMode client={client} store={store} />
          <ChosenAgent client={client} store={store} onChoose={modelSwitch.ask} />
          {isExternal && (
            <Suspense fallback={null}>
              <ExternalChoices
                client={client}
                store={store}
                agentId={overview.settings.agentId ?? ''}
                chosen={overview.settings}
                onChoose={null}
              />
            </Suspense>
          )}
          <ChosenWorkspace client={client} store={store} onChoose={modelSwitch.ask} />
          <ChosenModel client={client} store={store} onChoose={modelSwitch.ask} />
          <ChosenThinking client={client} store={store} onChoose={modelSwitch.ask} />
          <CostSoFar client={client} store={store} />
        </Composer>
      </div>
      {asked && (
        <Suspense fallback={null}>
          <EraseDialog asked={asked} acts={acts} onClose={() => askToErase(null)} />
        </Suspense>
      )}
      <Announcer store={store} />
    </div>
  )
}

interface ConversationWelcomeProps {
  readonly client: Client
  readonly store: ConversationStore
  readonly onStart: (text: string) => void
}

/** What an empty conversation shows. The demo has a conversation of its own where another model answers in this one. */
function ConversationWelcome({ client, store, onStart }: ConversationWelcomeProps) {
  const { row } = useAgentInUse(client, store)
  const models = useObservable(client.models, ({ value }) => value)
  const answering = useModelInUse(client, store)
  return (
    <Welcome
      agent={row}
      model={welcomeModel(models, answering)}
      onStart={onStart}
      onDemo={(command) => (isDemo(answering) ? onStart(command) : void told(beginDemo(client, command)))}
    />
  )
}

interface ChosenModelProps {
  readonly client: Client
  readonly store: ConversationStore
  readonly onChoose: (name: string, settings: SettingChanges) => void
}

function ChosenModel({ client, store, onChoose }: ChosenModelProps) {
  const known = useConversation(store, (state) => state.overview.settings.modelId ?? null)
  const asked = useConversation(store, ({ outbox }) => askedSetting(outbox, 'modelId'))
  // An agent that is a program is its own model: there is nothing to choose.
  if (known?.startsWith(EXTERNAL_AGENT)) return null
  return (
    <ModelPicker
      client={client}
      chosen={asked ?? known}
      onChoose={(modelId) => onChoose(say('page.switch-to', { model: modelId }), { modelId })}
    />
  )
}

function ChosenThinking({ client, store, onChoose }: ChosenModelProps) {
  const thinking = useConversation(store, (state) => state.overview.settings.thinking ?? null)
  const { row, modelId } = useModelInUse(client, store)
  if (modelId?.startsWith(EXTERNAL_AGENT)) return null
  return (
    <ThinkingPicker
      thinking={thinking}
      model={row}
      onChoose={(chosen) => onChoose(say('limits.thinking'), { thinking: chosen })}
    />
  )
}

/** What the conversation has cost. With sub-agents their cost stands beside it. [COST3, COST8] */
function CostSoFar({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const ledger = useConversation(store, (state) => state.overview.ledger)
  const context = client.context(useConversation(store, (state) => state.conversationId))
  const { value } = useLedger({ context, store }, Object.keys(ledger.subAgents).length > 0)
  if (ledger.total.requestCount === 0) return <span className="meta" />
  const cost = costOfTotals(ledger.total, ledgerWord(ledger))
  const subAgents = value?.subAgents
  const beside = subAgents && subAgents.requestCount > 0 ? costOfTotals(subAgents, ledgerWord(ledger)) : null
  return (
    <span className="meta cost" data-testid="cost" title={costTitle(cost)}>
      {costText(cost)}
      {beside && [' ', besideText(beside)]}
    </span>
  )
}

/** What the person wrote last on the path that is shown. */
function lastSentWords(store: ConversationStore): string {
  const { window, overview } = store.getSnapshot()
  const last = visibleItems({ items: window.items, path: overview.path }).findLast(({ role }) => role === 'user')
  return last ? wordsOf(last.parts) : ''
}

/** Esc stops what runs, and where nothing does, drops a selection. [UI2] */
function stopByEscape(store: ConversationStore, event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
  const phase = phaseOf(store)
  if (phase === 'idle') {
    getSelection()?.removeAllRanges()
    return
  }
  event.preventDefault()
  if (phase === 'busy') store.stop('stop')
  // Its button knows whether a stop has taken long enough to be forced.
  else document.querySelector<HTMLElement>('[data-testid=stop]')?.click()
}

/** Whether there is something to stop. */
export function isBusy(store: ConversationStore): boolean {
  return phaseOf(store) === 'busy'
}

/** Read from the store at the moment of asking: a stop that was just sent counts. */
function phaseOf(store: ConversationStore): ComposerPhase {
  const { overview, outbox } = store.getSnapshot()
  const run = overview.runState.exclusive
  const isStopping = (run && run.stopRequestedAt !== null) || outbox.some(({ command }) => command.name === 'stop-run')
  const now = Date.now()
  // What somebody edits waits: nothing runs for it that could be stopped.
  const isAboutToStart =
    overview.queue.held === null &&
    shownInputs(overview.queue.inputs, outbox, now).some(({ lockedAt }) => !isBeingEdited(lockedAt, now))
  if (!run && !isAboutToStart) return outbox.some(({ command }) => command.name === 'send-message') ? 'busy' : 'idle'
  return isStopping ? 'stopping' : 'busy'
}

/** A stop that found nothing to stop is told in passing: there is nothing to give back. */
function useToldRefusedStops(store: ConversationStore): void {
  const refused = useConversation(store, (state) => state.refused)
  useEffect(() => {
    for (const { command, problem } of refused) {
      if (command.name !== 'stop-run' || problem.code !== 'nothing-runs') continue
      tell(problemText(problem), null)
      store.takeBack(command.commandId)
    }
  }, [store, refused])
}
