import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { ModelRow, ProviderSetting } from '@holdfast/protocol'
import { useCallback, useState } from 'react'
import { Step } from '../archive/step.tsx'
import { told, useAsked } from '../shared/ask-server.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { say } from '../shared/language/say.ts'

interface FoundModelsProps {
  readonly client: Client
  readonly modelId: string | null
  readonly onModel: (modelId: string) => void
}

/** A small model that most computers can run. */
const PULL = 'ollama pull llama3.2:3b'

/** Below so many tokens a window has no room for all of our own tools. [WIN17] */
const SMALL_WINDOW = 32_768

/** So many models of one place are named. */
const NAMED = 2

/** The servers of this computer and the keys that were found, each with one press that has it answer. [UI110] */
export function FoundModels({ client, modelId, onModel }: FoundModelsProps) {
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again
  const ask = useCallback(() => client.listProviders(), [client, round])
  const [asked] = useAsked(ask)
  const models = useObservable(client.models, ({ value }) => value)
  const [isLooking, setLooking] = useState(false)
  if (asked.value === null) return null
  const found = asked.value.filter(({ source, state }) => source.type !== 'stored' || state === 'ready')
  const isMissing = found.every(({ modelCount }) => modelCount === 0)
  const hasServer = found.some(({ source }) => source.type === 'found')

  async function look(): Promise<void> {
    setLooking(true)
    await told(client.lookForProviders())
    client.models.load()
    setRound(round + 1)
    setLooking(false)
  }

  return (
    <>
      {found.map((provider) => (
        <FoundProvider
          key={provider.id}
          provider={provider}
          rows={models?.providers.find(({ id }) => id === provider.id)?.models ?? []}
          modelId={modelId}
          onModel={onModel}
        />
      ))}
      {(isMissing || !hasServer) && (
        <Step
          kind="no-model"
          name={say(
            isMissing ? (found.length === 0 ? 'first.no-model-found' : 'first.no-model-yet') : 'first.no-server-found',
          )}
          says={say(isMissing ? 'first.no-model-says' : 'first.no-server-says')}
        >
          <button type="button" className="button small" aria-disabled={isLooking} onClick={() => void look()}>
            {say(isLooking ? 'first.looking' : 'first.look-again')}
          </button>
        </Step>
      )}
    </>
  )
}

interface FoundProviderProps {
  readonly provider: ProviderSetting
  readonly rows: readonly ModelRow[]
  readonly modelId: string | null
  readonly onModel: (modelId: string) => void
}

function FoundProvider({ provider, rows, modelId, onModel }: FoundProviderProps) {
  const { name, source, problem } = provider
  const [first] = rows
  const answers = rows.some(({ id }) => id === modelId)
  const called = source.type === 'environment' ? source.variable : name
  if (problem !== null)
    return (
      <Step kind="model" name={called} says={<span className="problem">{problem}</span>}>
        {null}
      </Step>
    )
  if (!first)
    return (
      <Step
        kind="model"
        name={called}
        says={
          provider.server === 'ollama' ? (
            <>
              {say('first.without-a-model')} <code dir="ltr">{PULL}</code>{' '}
              <CopyButton text={() => PULL} label={say('markdown.copy-code')} />
            </>
          ) : (
            say('first.without-a-model')
          )
        }
      >
        {null}
      </Step>
    )
  return (
    <Step
      kind="model"
      name={called}
      says={
        <>
          {modelsWords(provider, rows)}
          <SmallWindow row={rows.find(({ id }) => id === modelId) ?? first} />
        </>
      }
    >
      {answers ? (
        <span className="first-step-state" role="status">
          {say('first.answers-here')}
        </span>
      ) : (
        <button
          type="button"
          className="button small"
          aria-label={say('first.use-name', { name: called })}
          onClick={() => onModel(first.id)}
        >
          {say('first.use')}
        </button>
      )}
    </Step>
  )
}

/** Says before the first message that some tools will not be sent, and what helps. [UI112] */
function SmallWindow({ row: { contextWindowTokens: tokens } }: { readonly row: ModelRow }) {
  if (tokens === null || tokens >= SMALL_WINDOW) return null
  return <span className="first-step-warning">{say('first.small-window', { tokens })}</span>
}

function modelsWords({ source }: ProviderSetting, rows: readonly ModelRow[]): string {
  const names = rows.slice(0, NAMED).map(({ name }) => name)
  const values = { names: names.join(', '), count: rows.length }
  const more = rows.length - names.length
  const models = more === 0 ? say('first.models', values) : say('first.models-more', { ...values, more })
  return source.type === 'environment' ? say('first.in-the-environment', { models }) : models
}
