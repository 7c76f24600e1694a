import type { Client, NewProvider } from '@holdfast/client'
import { type SubmitEvent, useState } from 'react'
import { useTold } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { connectChecked } from './connect-checked.ts'
import { serverAt } from './server-at.ts'

/** What can be connected, with what each needs. */
const KINDS = [
  { kind: 'anthropic', name: 'Anthropic', type: 'anthropic', keyStart: 'sk-ant-', needs: 'key' },
  { kind: 'openai', name: 'OpenAI', type: 'openai-responses', keyStart: 'sk-', needs: 'key' },
  { kind: 'google', name: 'Google', type: 'google', keyStart: 'AIza', needs: 'key' },
  { kind: 'openrouter', name: 'OpenRouter', type: 'openai-chat', keyStart: 'sk-or-', needs: 'key' },
  { kind: 'other', name: null, type: 'openai-chat', keyStart: null, needs: 'address' },
] as const satisfies readonly {
  readonly kind: string
  /** As it calls itself; null for what has no name. */
  readonly name: string | null
  readonly type: NewProvider['type']
  readonly keyStart: string | null
  readonly needs: 'key' | 'address'
}[]

type Kind = (typeof KINDS)[number]['kind']

const OPENROUTER_URL = 'https://openrouter.ai/api/v1'

interface ConnectProviderProps {
  readonly client: Client
  /** Whether nothing but the script answers by now: then what is connected most likely is to. */
  readonly isFirst: boolean
  /** What was connected; null where nothing was. */
  readonly onDone: (made: Connected | null) => void
}

/** A provider that was connected, and whether its first model is to answer in new conversations. */
export interface Connected {
  readonly providerId: string
  readonly isDefault: boolean
}

/** Sets a provider up. The key says by its beginning whose it is. */
export function ConnectProvider({ client, isFirst, onDone }: ConnectProviderProps) {
  const [isDefault, setDefault] = useState(isFirst)
  const [kind, setKind] = useState<Kind>('anthropic')
  const [apiKey, setKey] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const [window, setWindow] = useState('')
  const connecting = useTold()
  /** Why what was wished for did not answer; null before it was tried. */
  const [silence, setSilence] = useState<{ readonly wish: NewProvider; readonly problem: string } | null>(null)
  const needsAddress = KINDS.some((known) => known.kind === kind && known.needs === 'address')
  const isReady = needsAddress ? baseUrl.trim() !== '' : apiKey.trim() !== ''

  function onKey(next: string): void {
    setKey(next)
    const known = kindOfKey(next)
    if (known && !needsAddress) setKind(known)
  }

  async function onSubmit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (!isReady || connecting.isBusy) return
    const tokens = Number(window)
    const contextWindowTokens = needsAddress && Number.isInteger(tokens) && tokens > 0 ? tokens : null
    const wish = wishOf({ kind, apiKey: apiKey.trim(), baseUrl: baseUrl.trim(), contextWindowTokens })
    setSilence(null)
    let problem: string | null = null
    const isTold = await connecting.run(async () => {
      problem = await connectChecked(client, wish)
    })
    if (problem !== null) setSilence({ wish, problem })
    else if (isTold) onDone({ providerId: wish.id, isDefault })
  }

  async function connectAnyway(wish: NewProvider): Promise<void> {
    if (await connecting.run(() => client.addProvider(wish))) onDone({ providerId: wish.id, isDefault })
  }

  return (
    <form
      className="connect-form"
      aria-label={say('settings.connect-a-provider')}
      onSubmit={(event) => void onSubmit(event)}
    >
      <label>
        {say('settings.provider')}
        <select
          className="picker boxed"
          value={kind}
          onChange={({ target }) => setKind(KINDS.find((known) => known.kind === target.value)?.kind ?? 'other')}
        >
          {KINDS.map((known) => (
            <option key={known.kind} value={known.kind}>
              {known.name ?? say('settings.a-server-with-chat-completions')}
            </option>
          ))}
        </select>
      </label>
      {needsAddress && (
        <label>
          {say('settings.address')}
          <input
            type="url"
            placeholder="http://127.0.0.1:11434/v1"
            value={baseUrl}
            onChange={({ target }) => setBaseUrl(target.value)}
          />
        </label>
      )}
      <label>
        {needsAddress ? say('settings.key-if-it-needs-one') : say('settings.key')}
        <input type="password" autoComplete="off" value={apiKey} onChange={({ target }) => onKey(target.value)} />
      </label>
      {needsAddress && (
        <label>
          {say('settings.window-if-you-know-it')}
          <input
            type="number"
            min={1_000}
            step={1}
            placeholder="32768"
            value={window}
            onChange={({ target }) => setWindow(target.value)}
          />
        </label>
      )}
      <label className="check">
        <input type="checkbox" checked={isDefault} onChange={({ target }) => setDefault(target.checked)} />
        {say('settings.answers-in-new-conversations')}
      </label>
      <div className="setting-acts">
        <button
          type="submit"
          className={`button${isReady ? ' primary' : ''}`}
          aria-disabled={!isReady || connecting.isBusy}
        >
          {connecting.isBusy ? say('settings.testing') : say('settings.connect')}
        </button>
        <button type="button" className="link-button" onClick={() => onDone(null)}>
          {say('common.cancel')}
        </button>
      </div>
      {silence !== null && (
        <p className="problem" role="alert" data-testid="not-connected">
          {say('settings.not-connected-since', { problem: silence.problem })}{' '}
          <button type="button" className="link-button" onClick={() => void connectAnyway(silence.wish)}>
            {say('settings.connect-all-the-same')}
          </button>
        </p>
      )}
      {connecting.problem !== null && (
        <p className="problem" role="alert">
          {connecting.problem}
        </p>
      )}
    </form>
  )
}

/** The longest beginning that fits: keys of OpenRouter begin like those of OpenAI. */
function kindOfKey(key: string): Kind | null {
  const fitting = KINDS.filter(({ keyStart }) => keyStart !== null && key.startsWith(keyStart))
  return fitting.toSorted((a, b) => (b.keyStart ?? '').length - (a.keyStart ?? '').length)[0]?.kind ?? null
}

interface Wished {
  readonly kind: Kind
  readonly apiKey: string
  readonly baseUrl: string
  /** Null where nobody says. */
  readonly contextWindowTokens: number | null
}

function wishOf({ kind, apiKey, baseUrl, contextWindowTokens }: Wished): NewProvider {
  const key = apiKey === '' ? {} : { apiKey }
  switch (kind) {
    case 'anthropic':
      return { id: 'anthropic', type: 'anthropic', ...key }
    case 'openai':
      return { id: 'openai', type: 'openai-responses', ...key }
    case 'google':
      return { id: 'google', type: 'google', ...key }
    case 'openrouter':
      return {
        id: 'openrouter',
        name: 'OpenRouter',
        type: 'openai-chat',
        server: 'openrouter',
        baseUrl: OPENROUTER_URL,
        ...key,
      }
    case 'other':
      return {
        id: serverAt(baseUrl).id,
        name: serverAt(baseUrl).name,
        type: 'openai-chat',
        server: 'openai-compatible',
        baseUrl,
        ...key,
        ...(contextWindowTokens === null ? {} : { contextWindowTokens }),
      }
  }
}
