import { type Client, RequestFailedError } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { EXTERNAL_AGENT, type Thinking } from '@holdfast/conversation'
import { Suspense, useState } from 'react'
import { AgentPicker } from '../agents/agent-picker.tsx'
import { ExternalChoices } from '../agents/external/choices-later.ts'
import type { ExternalChoice } from '../agents/external/external-choices.tsx'
import { Composer } from '../composer/composer.tsx'
import { modelInUse } from '../composer/context/model-choice.ts'
import { ModelPicker } from '../composer/context/model-picker.tsx'
import { ThinkingPicker } from '../composer/context/thinking-picker.tsx'
import type { NamedThing } from '../composer/mentions/named-thing.ts'
import { FirstMode, type Mode } from '../composer/mode-picker.tsx'
import { FirstPrice } from '../composer/price/message-price.tsx'
import { useUnreadHere } from '../composer/unread-here.ts'
import { PresetPicker } from '../presets/preset-picker.tsx'
import { readWorkspaceParameter } from '../shared/address.ts'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { choose, usePreference } from '../shared/preferences/preferences.ts'
import { errorText } from '../shared/problem-words.ts'
import { newUnsent } from '../shared/tab-storage.ts'
import { type Place, PlacePicker } from '../workspaces/place-picker.tsx'
import { WorkspacePicker } from '../workspaces/workspace-picker.tsx'
import { Announcer } from './announcer.tsx'
import { type Beginning, beginConversation, beginDemo } from './begin-conversation.ts'
import { ConnectionLine } from './connection-state.tsx'
import { useNamedThings } from './named-things.ts'
import { commandsAnywhere } from './page-commands.ts'
import { useTabTitle } from './tab-title.ts'
import { useFirstPlace } from './use-first-place.ts'
import { VoiceControls } from './voice-later.ts'
import { Welcome } from './welcome.tsx'
import { welcomeModel } from './welcome-model.ts'

const PlaceQuestion = later(async () => (await import('../presets/place-question.tsx')).PlaceQuestion)
const FirstSteps = later(async () => (await import('../first/first-steps.tsx')).FirstSteps)
const PresetLine = later(async () => (await import('../presets/preset-line.tsx')).PresetLine)

/** What servers offer is the same for every conversation: it is asked for before this one has an id. */
const NEW = 'new'
const NO_SERVERS: readonly string[] = []
const NO_ELEMENTS: readonly NamedThing[] = []

/** A conversation that is made by its first message. */
export function NewConversation({ client }: { readonly client: Client }) {
  const isOnline = useObservable(client.link, (link) => link.type === 'live')
  const [refusal, setRefusal] = useState<string | null>(null)
  const usual = usePreference('defaultModelId')
  const isUsualHere = useObservable(client.models, ({ value }) =>
    (value?.providers ?? []).some(({ models }) => models.some(({ id }) => id === usual)),
  )
  const [chosenId, setModelId] = useState<string | null>(null)
  const [agentId, setAgentId] = useState<string | null>(null)
  const [workspaceId, setWorkspaceId] = useState(readWorkspaceParameter)
  const [presetId, setPresetId] = useState<string | null>(null)
  const preset = useObservable(client.presets, ({ value }) => value?.presets.find(({ id }) => id === presetId)) ?? null
  const { place, setPlace, askPlace, asked } = useFirstPlace(client, { workspaceId, preset })
  const [mode, setMode] = useState<Mode | null>(null)
  const [external, setExternal] = useState<ExternalChoice>({})
  const [thinking, setThinking] = useState<Thinking | null>(null)
  const agent = useObservable(client.agents, ({ value }) => value?.agents.find(({ id }) => id === agentId)) ?? null
  // The model of an agent stands above the usual one, and below one that is chosen for this conversation.
  const usualId = isUsualHere ? usual : null
  const first = { ...agent?.settings, ...preset?.settings }
  // A program is its own model: what was chosen of another one does not hold for it.
  const isExternal = agentId?.startsWith(EXTERNAL_AGENT) === true
  const modelId = isExternal ? null : (chosenId ?? (first.modelId === undefined ? usualId : null))
  const models = useObservable(client.models, ({ value }) => value)
  const model = modelInUse(models, modelId ?? first.modelId ?? null)
  useTabTitle({ client, title: say('common.new-conversation'), isWaiting: false })

  const named = useNamedThings({ client, conversationId: null, workspaceId, elements: NO_ELEMENTS })
  const unread = useUnreadHere(client, null)
  const isEmpty = useObservable(client.conversations, ({ state, rows }) => state === 'loaded' && rows.length === 0)
  // What is imported from here brings conversations, and is followed here to its end.
  const [isFirst, setFirst] = useState(isEmpty)
  if (isEmpty && !isFirst) setFirst(true)

  /** @throws {RequestFailedError} with the refusal shown. */
  async function attempt(beginning: Promise<void>): Promise<void> {
    setRefusal(null)
    try {
      await beginning
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      setRefusal(errorText(error))
      throw error
    }
  }

  /** Presets are of models: a program has settings of its own. */
  function chooseAgent({ id }: { readonly id: string }): void {
    setAgentId(id)
    setExternal({})
    if (id.startsWith(EXTERNAL_AGENT)) setPresetId(null)
  }

  /** Here, and in conversations to come. */
  function takeModel(id: string): void {
    setModelId(id)
    choose({ defaultModelId: id })
  }

  /** In another folder others may be at work, or no git keeps it. */
  function chooseWorkspace({ id }: { readonly id: string }): void {
    setWorkspaceId(id)
    setPlace(null)
  }

  /** The text stays in the field until the conversation is there. */
  function send(content: Beginning['content']): Promise<void> {
    const settings = {
      ...(workspaceId === null ? {} : { workspaceId }),
      ...(mode === null ? {} : { permissionMode: mode }),
      ...external,
      // A model that does not think shows no choice of it: what was chosen for another one is not asked of it.
      ...(thinking === null || isExternal || model.row?.capabilities.thinking === false ? {} : { thinking }),
    }
    const begin = (where: Place) =>
      attempt(
        beginConversation(client, {
          modelId,
          agentId,
          ...(presetId === null ? {} : { presetId }),
          settings,
          content,
          place: where,
        }),
      )
    if (place !== 'ask') return begin(place)
    return askPlace().then(begin)
  }

  return (
    <div className="workspace" style={{ flex: 1 }}>
      <div className="thread-frame">
        <div className="thread">
          <div className="column">
            {isFirst && (
              <Suspense fallback={null}>
                <FirstSteps client={client} modelId={model.modelId} onModel={takeModel} onWorkspace={chooseWorkspace} />
              </Suspense>
            )}
            <Welcome
              agent={agent}
              model={welcomeModel(models, model)}
              onStart={(text) => void send([{ type: 'text', text }]).catch(() => {})}
              onDemo={(command) => void attempt(beginDemo(client, command)).catch(() => {})}
            />
          </div>
        </div>
      </div>
      <div className="composer-frame">
        <ConnectionLine client={client} store={null} />
        {refusal !== null && (
          <p className="connection" role="alert">
            {say('message.not-sent', { problem: refusal })}
          </p>
        )}
        {preset !== null && (
          <Suspense fallback={null}>
            <PresetLine client={client} row={preset} />
          </Suspense>
        )}
        <Suspense fallback={null}>
          <VoiceControls client={client} store={null} agentId={agentId} />
        </Suspense>
        {asked !== null && (
          <Suspense fallback={null}>
            <PlaceQuestion onChoose={asked} />
          </Suspense>
        )}
        <Composer
          unsent={newUnsent}
          phase="idle"
          isOnline={isOnline}
          conversationId={NEW}
          queue={[]}
          isQueueKnown
          isQueueHeld={false}
          refused={[]}
          unread={unread}
          onSend={send}
          tools={client.tools(NEW)}
          excludedServers={NO_SERVERS}
          commands={commandsAnywhere({ client, models, onModel: setModelId, modelId: model.modelId })}
          named={named}
          lastSent={() => ''}
          onStop={() => {}}
          onTakeBack={() => {}}
          onQueueAct={() => {}}
          ruler={null}
          remedies={null}
          attachments={client.attachments}
          model={model}
          price={(content) =>
            isExternal ? null : <FirstPrice client={client} modelId={modelId} agentId={agentId} content={content} />
          }
        >
          <FirstMode
            client={client}
            chosen={mode ?? preset?.settings.permissionMode ?? null}
            agent={agent}
            onChoose={setMode}
          />
          {!isExternal && <PresetPicker client={client} chosenId={presetId} onChoose={setPresetId} />}
          <AgentPicker client={client} chosenId={agentId} chosenName={null} onChoose={chooseAgent} />
          {isExternal && (
            <Suspense fallback={null}>
              <ExternalChoices
                client={client}
                store={null}
                agentId={agentId}
                chosen={external}
                onChoose={setExternal}
              />
            </Suspense>
          )}
          <WorkspacePicker client={client} chosenId={workspaceId} onChoose={chooseWorkspace} />
          <PlacePicker client={client} workspaceId={workspaceId} place={place} onChoose={setPlace} />
          {!isExternal && (
            <>
              <ModelPicker client={client} chosen={modelId ?? first.modelId ?? null} onChoose={setModelId} />
              <ThinkingPicker thinking={thinking ?? first.thinking ?? null} model={model.row} onChoose={setThinking} />
            </>
          )}
          <span className="meta" />
        </Composer>
      </div>
      <Announcer store={null} />
    </div>
  )
}
