import type { AttachmentApi, Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { type ConversationSettings, EXTERNAL_AGENT } from '@holdfast/conversation'
import type { ExternalAgentChoices } from '@holdfast/protocol'
import { useCallback } from 'react'
import { attachedFilesOf } from '../../composer/attach/attached-files.ts'
import { isPicture } from '../../composer/attach/send-block.ts'
import { useAsked } from '../../shared/ask-server.ts'
import { askedSetting } from '../../shared/asked-setting.ts'
import { say } from '../../shared/language/say.ts'
import { Picker } from '../../shared/picker.tsx'
import { externalApi } from './external-here.ts'

/** What is chosen of an agent. */
export type ExternalChoice = Pick<ConversationSettings, 'externalMode' | 'externalModel' | 'paidBy'>

type Payer = ExternalAgentChoices['paidBy']

/** What is shown of one. */
interface Shown {
  readonly client: Client
  readonly agentId: string
  readonly chosen: ExternalChoice
}

/** Whose choices. */
export interface ExternalChoicesProps extends Shown {
  /** Null for one that will begin: what is chosen is given back whole. */
  readonly store: ConversationStore | null
  readonly onChoose: ((chosen: ExternalChoice) => void) | null
}

/** The files of a conversation that is not there yet. */
const NEW = 'new'

/** Mode, model and payer of an external agent. A change holds from the next message on. [AGENT55] */
export function ExternalChoices({ store, onChoose, ...shown }: ExternalChoicesProps) {
  if (store !== null) return <ChoicesHere {...shown} store={store} />
  const { chosen } = shown
  return (
    <Choices
      {...shown}
      conversationId={NEW}
      onChoose={(changes) => onChoose?.(withoutNulls({ ...chosen, ...changes }))}
    />
  )
}

/** What is on its way counts as chosen. */
function ChoicesHere({ store, chosen, ...shown }: Shown & { readonly store: ConversationStore }) {
  const outbox = useConversation(store, (state) => state.outbox)
  const conversationId = useConversation(store, (state) => state.conversationId)
  const now = (name: keyof ExternalChoice): string | null => askedSetting(outbox, name) ?? chosen[name] ?? null
  const asked = withoutNulls({
    externalMode: now('externalMode'),
    externalModel: now('externalModel'),
    paidBy: now('paidBy'),
  })
  return <Choices {...shown} conversationId={conversationId} chosen={asked} onChoose={store.changeSettings} />
}

/** Null gives a setting back. */
function withoutNulls(choice: { readonly [Name in keyof ExternalChoice]?: string | null }): ExternalChoice {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== null))
}

interface ChoicesProps extends Shown {
  readonly conversationId: string
  readonly onChoose: (changes: { readonly [Name in keyof ExternalChoice]?: string | null }) => void
}

function Choices({ client, conversationId, agentId, chosen, onChoose }: ChoicesProps) {
  const [mode, model] = [chosen.externalMode ?? null, chosen.externalModel ?? null]
  const paidBy = chosen.paidBy ?? null
  const name =
    useObservable(client.agents, ({ value }) => value?.agents.find(({ id }) => id === agentId)?.name) ??
    agentId.slice(EXTERNAL_AGENT.length)
  const ask = useCallback(() => externalApi.choices(agentId.slice(EXTERNAL_AGENT.length), paidBy), [agentId, paidBy])
  const [{ type, value, problem }, askAgain] = useAsked(ask)
  if (type === 'asking')
    return (
      <span className="external-note" role="status" data-testid="external-choices" data-state="asking">
        {say('external.reading-what-offers', { name })}
      </span>
    )
  const why = problem ?? value?.problem ?? null
  const payerId = paidBy ?? value?.usualPayer ?? null
  const used = value?.models.find(({ id }) => id === (model ?? value.usualModel))
  const seesPictures = value?.takesImages !== false && used?.takesImages !== false
  return (
    <>
      {value !== null && (
        <>
          <ModePicker choices={value} chosen={mode} onChoose={(externalMode) => onChoose({ externalMode })} />
          <ModelPicker choices={value} chosen={model} onChoose={(externalModel) => onChoose({ externalModel })} />
          <PayerPicker
            payers={value.payers}
            chosen={payerId}
            // The models of another payer go by other names.
            onChoose={(id) => onChoose({ paidBy: id, externalModel: null })}
          />
        </>
      )}
      {why !== null && (
        <span className="external-note" role="status" data-testid="external-problem">
          {say('external.offers-not-read', { name, problem: why })}{' '}
          <button type="button" className="link-button" onClick={askAgain}>
            {say('common.try-again')}
          </button>
        </span>
      )}
      {!seesPictures && <UnseenPictures name={name} attachments={client.attachments} conversationId={conversationId} />}
    </>
  )
}

interface PickerProps<Id> {
  readonly choices: ExternalAgentChoices
  readonly chosen: string | null
  readonly onChoose: (id: Id) => void
}

/** The agent's own modes, each with whether it asks before it acts. */
function ModePicker({ choices: { modes, askMode }, chosen, onChoose }: PickerProps<string>) {
  if (modes === null || modes.length === 0) return null
  const current = chosen ?? askMode
  const row = modes.find(({ id }) => id === current)
  return (
    <Picker
      testId="external-mode"
      state={row?.asksFirst === false ? 'bypass' : (current ?? '')}
      name={say('external.mode')}
      words={row?.name ?? current ?? say('external.its-own-mode')}
      isName={false}
      title={row?.description ?? undefined}
      value={current ?? ''}
      onChoose={onChoose}
    >
      {row === undefined && (
        <option value={current ?? ''} disabled>
          {current ?? say('external.its-own-mode')}
        </option>
      )}
      {modes.map(({ id, name, description, asksFirst }) => (
        <option key={id} value={id}>
          {lineOf(asksFirst ? name : say('external.does-not-ask', { name }), description)}
        </option>
      ))}
    </Picker>
  )
}

function ModelPicker({ choices: { models, usualModel }, chosen, onChoose }: PickerProps<string | null>) {
  if (models.length === 0 && chosen === null) return null
  const current = chosen ?? usualModel
  const row = models.find(({ id }) => id === current)
  return (
    <Picker
      testId="external-model"
      state={current ?? ''}
      name={say('external.model')}
      words={row?.name ?? current ?? say('external.its-own-model')}
      isName
      title={row?.description ?? undefined}
      value={current ?? ''}
      onChoose={(id) => onChoose(id === '' ? null : id)}
    >
      {row === undefined && (
        <option value={current ?? ''} disabled>
          {current ?? say('external.its-own-model')}
        </option>
      )}
      {models.map(({ id, name, description }) => (
        <option key={id} value={id}>
          {lineOf(name, description)}
        </option>
      ))}
    </Picker>
  )
}

interface PayerPickerProps {
  readonly payers: ExternalAgentChoices['payers']
  readonly chosen: Payer | null
  readonly onChoose: (id: Payer) => void
}

function PayerPicker({ payers, chosen, onChoose }: PayerPickerProps) {
  const row = payers.find(({ id }) => id === chosen)
  return (
    <Picker
      testId="external-payer"
      state={chosen ?? ''}
      name={say('external.who-pays')}
      words={row ? payerWords(row) : (chosen ?? '')}
      isName
      title={say('external.who-pays-note')}
      value={chosen ?? ''}
      onChoose={(id) => {
        const payer = payers.find((one) => one.id === id)
        if (payer) onChoose(payer.id)
      }}
    >
      {row === undefined && (
        <option value={chosen ?? ''} disabled>
          {chosen ?? ''}
        </option>
      )}
      {payers.map((payer) => (
        <option key={payer.id} value={payer.id}>
          {payerLine(payer)}
        </option>
      ))}
    </Picker>
  )
}

function payerWords({ id, name }: ExternalAgentChoices['payers'][number]): string {
  if (name !== null) return say('external.paid-by', { name })
  return say(id === 'own' ? 'external.paid-by-itself' : 'external.paid-here')
}

function payerLine(payer: ExternalAgentChoices['payers'][number]): string {
  return lineOf(payerWords(payer), say(payer.id === 'own' ? 'external.paid-by-itself-line' : 'external.paid-here-line'))
}

function lineOf(name: string, says: string | null): string {
  return says === null || says === '' ? name : say('external.choice-line', { name, says })
}

interface UnseenProps {
  readonly name: string
  readonly attachments: AttachmentApi
  readonly conversationId: string
}

/** Says before anything is sent that the agent is told of pictures in words only. [AGENT50] */
function UnseenPictures({ name, attachments, conversationId }: UnseenProps) {
  const attached = attachedFilesOf(attachments, conversationId)
  const hasPictures = useObservable(attached, (files) => files.some(isPicture))
  if (!hasPictures) return null
  return (
    <span className="external-note" role="status" data-testid="external-no-pictures">
      {say('external.takes-no-pictures', { name })}
    </span>
  )
}
