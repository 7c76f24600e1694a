import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { ProviderSetting, ProviderTest } from '@holdfast/protocol'
import { type SubmitEvent, useEffect, useState } from 'react'
import { told, useAsked } from '../shared/ask-server.ts'
import { secondsText, timeOfDay } from '../shared/format.ts'
import { Glyph, type GlyphName } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { choose, usePreference } from '../shared/preferences/preferences.ts'
import { tell } from '../shared/toasts/toasts.ts'
import { type Connected, ConnectProvider } from './connect-provider.tsx'

/** How often a provider that is being asked for its models is looked at, in milliseconds. */
const ASK_AGAIN_MS = 1_000

/** The providers: where each is set up, whether it answers, and what it can do. [SEC4] */
export function ProvidersSection({ client }: { readonly client: Client }) {
  const [answer, askAgain] = useAsked(client.listProviders)
  const [isConnecting, setConnecting] = useState(false)
  const [wantedId, setWantedId] = useState<string | null>(null)
  const models = useObservable(client.models, ({ value }) => value)
  const chosenId = usePreference('defaultModelId')
  const defaultId = chosenId ?? models?.defaultModelId ?? null

  // Its models are known a while after it was connected.
  useEffect(() => {
    const first = models?.providers.find(({ id }) => id === wantedId)?.models[0]
    if (!first) return
    choose({ defaultModelId: first.id })
    setWantedId(null)
  }, [models, wantedId])

  /** What answers by now goes on to, unless the other was asked for. [UI25] */
  function onConnected({ providerId, isDefault }: Connected): void {
    if (isDefault) setWantedId(providerId)
    else if (defaultId !== null) choose({ defaultModelId: defaultId })
    onChanged()
  }

  function onChanged(): void {
    askAgain()
    client.models.load()
  }

  // One that was just connected is being asked for its models.
  const isAsked = answer.type === 'here' && answer.value.some(({ state }) => state === 'asking')
  useEffect(() => {
    if (!isAsked) return client.models.load()
    const timer = setInterval(askAgain, ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [client, isAsked, askAgain])

  return (
    <section aria-labelledby="settings-providers">
      <div className="settings-head">
        <h2 id="settings-providers">{say('settings.providers')}</h2>
        <button
          type="button"
          className="button"
          aria-expanded={isConnecting}
          onClick={() => setConnecting(!isConnecting)}
        >
          {say('settings.connect-a-provider')}
        </button>
      </div>
      {isConnecting && (
        <ConnectProvider
          client={client}
          isFirst={defaultId === 'demo'}
          onDone={(made) => {
            setConnecting(false)
            if (made) onConnected(made)
          }}
        />
      )}
      {answer.type === 'asking' && <p className="meta">{say('settings.reading-the-providers')}</p>}
      {answer.type === 'failed' && (
        <p className="problem" role="alert">
          {say('settings.providers-not-read', { problem: answer.problem })}{' '}
          <button type="button" className="link-button" onClick={askAgain}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      {answer.type === 'here' && (
        <ul className="provider-list">
          {answer.value.map((provider) => (
            <Provider key={provider.id} client={client} provider={provider} onChanged={onChanged} />
          ))}
        </ul>
      )}
      <p className="meta">{say('settings.keys-stay-on-this-server')}</p>
    </section>
  )
}

interface ProviderProps {
  readonly client: Client
  readonly provider: ProviderSetting
  readonly onChanged: () => void
}

function Provider({ client, provider, onChanged }: ProviderProps) {
  const { id, name, state, problem, modelCount, source } = provider
  const [test, setTest] = useState<ProviderTest | 'running' | null>(null)
  const [edited, setEdited] = useState<'key' | 'window' | null>(null)
  const result = test === 'running' ? null : test
  const failure = result ? result.problem : problem

  async function run(): Promise<void> {
    setTest('running')
    const done = await told(client.testProvider(id).then(setTest))
    if (!done) setTest(null)
  }

  async function remove(): Promise<void> {
    if (!(await told(client.removeProvider(id)))) return
    tell(say('settings.name-is-not-connected-any', { name }), null)
    onChanged()
  }

  return (
    <li className="provider-row with-test" data-testid="provider-row" data-state={failure === null ? state : 'failed'}>
      <Glyph name={id === 'demo' ? 'pending' : failure === null ? glyphOf(state) : 'failed'} lively={false} />
      <span className="provider-name">
        <strong>{name}</strong>
        <span className="meta">{sourceWords(provider)}</span>
      </span>
      <span className={failure === null ? 'meta' : 'problem'} role="status">
        {test === 'running' ? say('settings.testing') : (failure ?? modelWords(result, modelCount))}
      </span>
      <span className="meta">{result ? abilityWords(result) : ''}</span>
      <span className="setting-acts">
        <button
          type="button"
          className="button"
          aria-label={say('settings.test-name', { name })}
          aria-disabled={test === 'running'}
          onClick={() => void (test === 'running' ? null : run())}
        >
          {say('settings.test')}
        </button>
        {source.type === 'stored' && (
          <>
            <button
              type="button"
              className="link-button"
              aria-label={say('settings.update-the-key-of-name', { name })}
              onClick={() => setEdited(edited === 'key' ? null : 'key')}
            >
              {say('settings.key-asking')}
            </button>
            <button
              type="button"
              className="link-button"
              aria-label={say('settings.window-of-name', { name })}
              aria-expanded={edited === 'window'}
              onClick={() => setEdited(edited === 'window' ? null : 'window')}
            >
              {say('settings.window-asking')}
            </button>
            <button
              type="button"
              className="link-button"
              aria-label={say('settings.remove-name', { name })}
              onClick={() => void remove()}
            >
              {say('common.remove')}
            </button>
          </>
        )}
      </span>
      {edited === 'key' && (
        <KeyForm
          name={name}
          onSave={async (key) => {
            if (!(await told(client.changeProviderKey(provider, key)))) return
            setEdited(null)
            setTest(null)
            tell(say('settings.name-has-a-new-key', { name }), null)
            onChanged()
          }}
        />
      )}
      {edited === 'window' && (
        <WindowForm
          name={name}
          tokens={provider.contextWindowTokens}
          onSave={async (tokens) => {
            if (!(await told(client.changeProviderWindow(provider, tokens)))) return
            setEdited(null)
            tell(say(tokens === null ? 'settings.window-as-known' : 'settings.window-is-set', { name }), null)
            onChanged()
          }}
        />
      )}
    </li>
  )
}

/** Takes a key; it is shown to nobody again. */
function KeyForm({ name, onSave }: { readonly name: string; readonly onSave: (key: string) => Promise<void> }) {
  const [key, setKey] = useState('')
  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    if (key.trim() !== '') void onSave(key.trim())
  }
  return (
    <form className="key-form" aria-label={say('settings.key-of-name', { name })} onSubmit={onSubmit}>
      <input
        type="password"
        aria-label={say('settings.new-key-of-name', { name })}
        autoComplete="off"
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      <button type="submit" className="button" aria-disabled={key.trim() === ''}>
        {say('settings.save-key')}
      </button>
    </form>
  )
}

/** The least window with which a conversation can be had, as the server takes it. */
const LEAST_WINDOW_TOKENS = 1_000

interface WindowFormProps {
  readonly name: string
  /** What is set; null where what is known of each model counts. */
  readonly tokens: number | null
  readonly onSave: (tokens: number | null) => Promise<void>
}

/**
 * Says how much the models of a provider take; an empty field gives it back to what is known of each. What is set stands in the
 * field until something is typed: right after a change it is known a moment later. [WIN8]
 */
function WindowForm({ name, tokens, onSave }: WindowFormProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? (tokens === null ? '' : String(tokens))
  const wanted = Number(text)
  const isFine = text.trim() === '' || (Number.isInteger(wanted) && wanted >= LEAST_WINDOW_TOKENS)
  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    if (isFine) void onSave(text.trim() === '' ? null : wanted)
  }
  return (
    <form className="key-form" aria-label={say('settings.window-of-name', { name })} onSubmit={onSubmit}>
      <input
        type="text"
        dir="auto"
        inputMode="numeric"
        autoComplete="off"
        aria-label={say('settings.tokens-of-the-window-of-name', { name })}
        aria-invalid={!isFine}
        placeholder={say('settings.as-known-of-each-model')}
        value={text}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" className="button" aria-disabled={!isFine}>
        {say('common.save')}
      </button>
      {!isFine && (
        <span className="problem" role="alert">
          {say('settings.window-takes', { least: LEAST_WINDOW_TOKENS })}
        </span>
      )}
    </form>
  )
}

function glyphOf(state: ProviderSetting['state']): GlyphName {
  switch (state) {
    case 'ready':
      return 'ok'
    case 'asking':
      return 'running'
    case 'failed':
      return 'failed'
  }
}

function sourceWords({ id, source, keyEnding, baseUrl }: ProviderSetting): string {
  if (id === 'demo') return say('settings.a-script-on-this-computer')
  switch (source.type) {
    case 'environment':
      return say('settings.from-variable-not-stored', { variable: source.variable })
    case 'file':
      return joined([say('settings.from-the-file'), baseUrl])
    case 'found':
      return joined([say('settings.found-here'), baseUrl])
    case 'stored':
      return joined([keyEnding === null ? null : say('settings.key-ending', { ending: keyEnding }), baseUrl])
  }
}

function joined(words: readonly (string | null)[]): string {
  return words.filter((word) => word !== null).join(', ')
}

function modelWords(test: ProviderTest | null, modelCount: number): string {
  const models = say('settings.model-count', { count: test?.modelCount ?? modelCount })
  if (!test) return models
  const latency = test.latencyMs === null ? null : secondsText(test.latencyMs)
  return [latency, models, say('settings.tested-at', { time: timeOfDay(test.at) })]
    .filter((word) => word !== null)
    .join(' · ')
}

function abilityWords({ streaming, tools }: ProviderTest): string {
  const words = [
    streaming === 'ok' && say('settings.can-stream'),
    tools === 'ok' && say('settings.can-use-tools'),
    tools === 'failed' && say('settings.cannot-use-tools'),
  ]
  return words.filter((word) => typeof word === 'string').join(', ')
}
