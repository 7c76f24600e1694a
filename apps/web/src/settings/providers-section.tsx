import type { Client, ProviderSetting, ProviderTest } from '@holdfast/client'
import { type FormEvent, useEffect, useState } from 'react'
import { timeOfDay } from '../format.ts'
import { Glyph, type GlyphName } from '../icons.tsx'
import { tell } from '../toasts/toasts.ts'
import { told } from '../told-request.ts'
import { useAnswer } from '../use-answer.ts'
import { ConnectProvider } from './connect-provider.tsx'

/** How often a provider that is being asked for its models is looked at, in milliseconds. */
const ASK_AGAIN_MS = 1_000

/** The providers: where each is set up, whether it answers, and what it can do. [SEC4] */
export function ProvidersSection({ client }: { readonly client: Client }) {
  const [answer, askAgain] = useAnswer(client.listProviders)
  const [isConnecting, setConnecting] = useState(false)

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
        <h2 id="settings-providers">Providers</h2>
        <button
          type="button"
          className="button"
          aria-expanded={isConnecting}
          onClick={() => setConnecting(!isConnecting)}
        >
          Connect a provider
        </button>
      </div>
      {isConnecting && (
        <ConnectProvider
          client={client}
          onDone={(isMade) => {
            setConnecting(false)
            if (isMade) onChanged()
          }}
        />
      )}
      {answer.type === 'asking' && <p className="meta">Reading the providers…</p>}
      {answer.type === 'failed' && (
        <p className="problem" role="alert">
          {`The providers could not be read: ${answer.problem} `}
          <button type="button" className="link-button" onClick={askAgain}>
            Try again
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
      <p className="meta">Keys stay on this server, encrypted at rest. Only the last four characters are ever shown.</p>
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
  const [isEditing, setEditing] = useState(false)
  const result = test === 'running' ? null : test
  const failure = result ? result.problem : problem

  async function run(): Promise<void> {
    setTest('running')
    const done = await told(client.testProvider(id).then(setTest))
    if (!done) setTest(null)
  }

  async function remove(): Promise<void> {
    if (!(await told(client.removeProvider(id)))) return
    tell(`${name} is not connected any more`, null)
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
        {test === 'running' ? 'Testing…' : (failure ?? modelWords(result, modelCount))}
      </span>
      <span className="meta">{result ? abilityWords(result) : ''}</span>
      <span className="setting-acts">
        <button
          type="button"
          className="button"
          aria-label={`Test ${name}`}
          aria-disabled={test === 'running'}
          onClick={() => void (test === 'running' ? null : run())}
        >
          Test
        </button>
        {source.type === 'stored' && (
          <>
            <button
              type="button"
              className="link-button"
              aria-label={`Update the key of ${name}`}
              onClick={() => setEditing(!isEditing)}
            >
              Key…
            </button>
            <button type="button" className="link-button" aria-label={`Remove ${name}`} onClick={() => void remove()}>
              Remove
            </button>
          </>
        )}
      </span>
      {isEditing && (
        <KeyForm
          name={name}
          onSave={async (key) => {
            if (!(await told(client.changeProviderKey(provider, key)))) return
            setEditing(false)
            setTest(null)
            tell(`${name} has a new key`, null)
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
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (key.trim() !== '') void onSave(key.trim())
  }
  return (
    <form className="key-form" aria-label={`Key of ${name}`} onSubmit={onSubmit}>
      <input
        type="password"
        aria-label={`New key of ${name}`}
        autoComplete="off"
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      <button type="submit" className="button" aria-disabled={key.trim() === ''}>
        Save key
      </button>
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
  if (id === 'demo') return 'a script on this computer, no network, no cost'
  switch (source.type) {
    case 'environment':
      return `from ${source.variable}, not stored`
    case 'file':
      return `from the configuration file${baseUrl === null ? '' : `, ${baseUrl}`}`
    case 'found':
      return `found on this computer${baseUrl === null ? '' : `, ${baseUrl}`}`
    case 'stored':
      return [keyEnding === null ? null : `key ending …${keyEnding}`, baseUrl]
        .filter((word) => word !== null)
        .join(', ')
  }
}

function modelWords(test: ProviderTest | null, modelCount: number): string {
  const count = test?.modelCount ?? modelCount
  const models = count === 1 ? '1 model' : `${count} models`
  if (!test) return models
  const latency = test.latencyMs === null ? '' : `${(test.latencyMs / 1_000).toFixed(2)} s · `
  return `${latency}${models} · tested ${timeOfDay(test.at)}`
}

function abilityWords({ streaming, tools }: ProviderTest): string {
  const words = [streaming === 'ok' && 'streaming', tools === 'ok' && 'tools', tools === 'failed' && 'no tools']
  return words.filter((word) => typeof word === 'string').join(', ')
}
