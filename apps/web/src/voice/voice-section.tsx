import { useObservable } from '@holdfast/client/react'
import type { AgentVoice, VoiceAnswer } from '@holdfast/protocol'
import { type SubmitEvent, useEffect, useState } from 'react'
import { useAsked, useTold } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { perSpeech } from '../shared/language/speech.ts'
import { tell } from '../shared/toasts/toasts.ts'
import { ReadAloud } from './read-aloud.tsx'
import { reading, stopReading } from './reading.ts'
import { VoiceFields } from './voice-fields.tsx'
import { loadVoice, voiceApi, voiceSetup } from './voice-here.ts'

/** How voice is set up in the installation: what holds for agents that say nothing, and the audio server. [VOICE2] */
export function VoiceSection() {
  const setup = useObservable(voiceSetup, (known) => known)
  useEffect(() => void loadVoice(), [])
  if (setup === null) return null
  return (
    <section aria-labelledby="settings-voice" data-testid="voice-section">
      <h2 id="settings-voice">{say('voice.voice')}</h2>
      <p className="meta">{say('voice.voice-lead')}</p>
      <VoiceForm key={setup.revision} setup={setup} />
      {setup.server !== null && <UsedToday />}
    </section>
  )
}

interface ServerForm {
  readonly baseUrl: string
  readonly apiKey: string
  readonly speechModel: string
  readonly voice: string
  readonly transcriptionModel: string
  readonly usdPerMillionCharacters: string
  readonly usdPerMinute: string
}

function formOf(server: VoiceAnswer['server']): ServerForm {
  return {
    baseUrl: server?.baseUrl ?? '',
    apiKey: '',
    speechModel: server?.speechModel ?? '',
    voice: server?.voice ?? 'alloy',
    transcriptionModel: server?.transcriptionModel ?? '',
    usdPerMillionCharacters: server?.usdPerMillionCharacters?.toString() ?? '',
    usdPerMinute: server?.usdPerMinute?.toString() ?? '',
  }
}

function VoiceForm({ setup }: { readonly setup: VoiceAnswer }) {
  const { revision, server } = setup
  const [usual, setUsual] = useState<AgentVoice>(setup.usual)
  const [form, setForm] = useState(() => formOf(server))
  const telling = useTold()
  const needsServer = usual.aloud === 'server' || usual.dictation === 'server'

  async function save(change: Parameters<typeof voiceApi.change>[0]): Promise<void> {
    const isSaved = await telling.run(async () => voiceSetup.set(await voiceApi.change(change)))
    if (isSaved) tell(say('voice.voice-is-saved'), null)
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    void save({ revision, usual, ...(form.baseUrl.trim() === '' ? {} : { server: serverOf(form) }) })
  }

  return (
    <form className="voice-form" aria-label={say('voice.voice')} onSubmit={onSubmit}>
      <VoiceFields value={usual} onChange={setUsual} />
      <details open={needsServer || server !== null}>
        <summary>{say('voice.audio-server')}</summary>
        <p className="meta">{say('voice.audio-server-lead')}</p>
        <ServerFields form={form} server={server} onChange={(change) => setForm({ ...form, ...change })} />
      </details>
      {server?.problem != null && <p className="problem">{server.problem}</p>}
      {telling.problem !== null && (
        <p className="problem" role="alert">
          {telling.problem}
        </p>
      )}
      <div className="setting-acts">
        <button type="submit" className="button" disabled={telling.isBusy}>
          {say('voice.save-voice')}
        </button>
        <TryIt voice={setup.usual} />
        {server !== null && (
          <button type="button" className="link-button" onClick={() => void save({ revision, server: null })}>
            {say('voice.remove-audio-server')}
          </button>
        )}
      </div>
    </form>
  )
}

/** A sentence in the saved voice; and why it could not be heard. */
function TryIt({ voice }: { readonly voice: AgentVoice }) {
  const problem = useObservable(reading, (now) => now.problem)
  const [wasPressed, setPressed] = useState(false)
  useEffect(() => stopReading, [])
  if (voice.aloud === 'off') return null
  return (
    <>
      <span onClickCapture={() => setPressed(true)}>
        <ReadAloud name="sample" words={say('voice.this-is-how-answers-sound')} voice={voice} className="button" />
      </span>
      {wasPressed && problem !== null && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
    </>
  )
}

function serverOf({ apiKey, ...form }: ServerForm) {
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
  const price = (text: string): number | null => (text.trim() === '' ? null : Number(text.replace(',', '.')))
  return {
    baseUrl: form.baseUrl.trim(),
    speechModel: orNull(form.speechModel),
    voice: orNull(form.voice) ?? 'alloy',
    transcriptionModel: orNull(form.transcriptionModel),
    usdPerMillionCharacters: price(form.usdPerMillionCharacters),
    usdPerMinute: price(form.usdPerMinute),
    ...(apiKey.trim() === '' ? {} : { apiKey: apiKey.trim() }),
  }
}

function ServerFields(props: {
  readonly form: ServerForm
  readonly server: VoiceAnswer['server']
  readonly onChange: (change: Partial<ServerForm>) => void
}) {
  const { form, server, onChange } = props
  const ending = server?.keyEnding ?? null
  return (
    <div className="voice-fields">
      <Text
        label={say('voice.address')}
        value={form.baseUrl}
        placeholder="https://api.openai.com/v1"
        onText={(baseUrl) => onChange({ baseUrl })}
      />
      <label>
        <span>{say('voice.key')}</span>
        <input
          type="password"
          dir="ltr"
          autoComplete="off"
          placeholder={ending === null ? say('voice.no-key') : say('voice.key-that-ends', { ending })}
          value={form.apiKey}
          onChange={({ target }) => onChange({ apiKey: target.value })}
        />
      </label>
      <Text
        label={say('voice.model-that-speaks')}
        value={form.speechModel}
        placeholder="tts-1"
        onText={(speechModel) => onChange({ speechModel })}
      />
      <Text
        label={say('voice.usual-voice')}
        value={form.voice}
        placeholder="alloy"
        onText={(voice) => onChange({ voice })}
      />
      <Text
        label={say('voice.model-that-listens')}
        value={form.transcriptionModel}
        placeholder="whisper-1"
        onText={(transcriptionModel) => onChange({ transcriptionModel })}
      />
      <Text
        label={say('voice.price-of-speech')}
        value={form.usdPerMillionCharacters}
        placeholder="$"
        onText={(usdPerMillionCharacters) => onChange({ usdPerMillionCharacters })}
      />
      <Text
        label={say('voice.price-of-a-minute')}
        value={form.usdPerMinute}
        placeholder="$"
        onText={(usdPerMinute) => onChange({ usdPerMinute })}
      />
    </div>
  )
}

function Text(props: {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly onText: (text: string) => void
}) {
  return (
    <label>
      <span>{props.label}</span>
      <input
        type="text"
        dir="ltr"
        autoComplete="off"
        placeholder={props.placeholder}
        value={props.value}
        onChange={({ target }) => props.onText(target.value)}
      />
    </label>
  )
}

const money = perSpeech(
  ({ locale }) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }),
)

/** What one's own reading and dictation took today. What nobody has a price for is said to be unknown. [VOICE4] */
function UsedToday() {
  const [{ value }] = useAsked(voiceApi.usage)
  const today = new Date().toISOString().slice(0, 10)
  const day = value?.find((one) => one.day === today)
  if (!day) return null
  const { spoken, characters, heard, costUsd, unpriced } = day
  const known = money().format(costUsd)
  const cost = unpriced === 0 ? known : costUsd === 0 ? say('voice.cost-unknown') : `≥ ${known}`
  const used = say('voice.used', { spoken, characters, heard, cost })
  return <p className="meta tabular">{say('voice.used-today', { used })}</p>
}
