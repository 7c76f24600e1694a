import { type AgentVoice, NO_VOICE, VoiceEngine } from '@holdfast/protocol'
import { useEffect, useRef, useState } from 'react'
import { say } from '../shared/language/say.ts'
import { browserVoices } from './speakers.ts'

const ENGINE_WORDS = { off: 'voice.nobody', browser: 'voice.the-browser', server: 'voice.the-audio-server' } as const

interface VoiceFieldsProps {
  readonly value: AgentVoice
  readonly onChange: (voice: AgentVoice) => void
}

/** How something is heard, and how it hears. [VOICE1] */
export function VoiceFields({ value, onChange }: VoiceFieldsProps) {
  const set = (change: Partial<AgentVoice>) => onChange({ ...value, ...change })
  return (
    <div className="voice-fields">
      <Engine label={say('voice.read-by')} value={value.aloud} onChosen={(aloud) => set({ aloud })} />
      <Engine label={say('voice.dictation-by')} value={value.dictation} onChosen={(dictation) => set({ dictation })} />
      {value.aloud !== 'off' && (
        <>
          <VoiceName value={value} onChange={onChange} />
          <SpeedField speed={value.speed} onSpeed={(speed) => set({ speed })} />
          <label className="check">
            <input
              type="checkbox"
              checked={value.byItself}
              onChange={({ target }) => set({ byItself: target.checked })}
            />
            {say('voice.as-they-come')}
          </label>
        </>
      )}
      {value.dictation === 'browser' && <p className="meta">{say('voice.browser-may-send')}</p>}
    </div>
  )
}

/** How fast it reads; what is no such number stays as it is written, is said to be none, and keeps its form from being sent. */
function SpeedField({ speed, onSpeed }: { readonly speed: number; readonly onSpeed: (speed: number) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [written, setWritten] = useState(String(speed))
  const isWrong = speedOf(written) === null
  useEffect(() => {
    setWritten((now) => (speedOf(now) === speed || speedOf(now) === null ? now : String(speed)))
  }, [speed])
  useEffect(() => field.current?.setCustomValidity(isWrong ? say('voice.wrong-speed') : ''), [isWrong])
  return (
    <div>
      <label>
        <span>{say('voice.speed')}</span>
        <input
          ref={field}
          type="text"
          inputMode="decimal"
          dir="ltr"
          aria-invalid={isWrong}
          value={written}
          onChange={({ target }) => {
            setWritten(target.value)
            const chosen = speedOf(target.value)
            if (chosen !== null) onSpeed(chosen)
          }}
        />
      </label>
      {isWrong && (
        <p className="problem" role="alert">
          {say('voice.wrong-speed')}
        </p>
      )}
    </div>
  )
}

/** Null for what is no speed. */
function speedOf(written: string): number | null {
  const speed = written.trim() === '' ? Number.NaN : Number(written.replace(',', '.'))
  return speed >= 0.5 && speed <= 3 ? speed : null
}

function Engine(props: {
  readonly label: string
  readonly value: VoiceEngine
  readonly onChosen: (engine: VoiceEngine) => void
}) {
  return (
    <label>
      <span>{props.label}</span>
      <select
        className="picker boxed"
        value={props.value}
        onChange={({ target }) => props.onChosen(VoiceEngine.parse(target.value))}
      >
        {VoiceEngine.options.map((engine) => (
          <option key={engine} value={engine}>
            {say(ENGINE_WORDS[engine])}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The voice by its name; those of the browser are offered, those of an audio server nobody can list. */
function VoiceName({ value, onChange }: VoiceFieldsProps) {
  const [known, setKnown] = useState<readonly string[]>([])
  const isOfBrowser = value.aloud === 'browser'
  useEffect(() => {
    let isHere = true
    if (isOfBrowser)
      void browserVoices().then((voices) => {
        if (isHere) setKnown(voices.map(({ name }) => name))
      })
    else setKnown([])
    return () => {
      isHere = false
    }
  }, [isOfBrowser])
  return (
    <label>
      <span>{say('voice.name-of-the-voice')}</span>
      <input
        type="text"
        dir="auto"
        list="voice-names"
        maxLength={200}
        autoComplete="off"
        value={value.voice ?? ''}
        onChange={({ target }) => onChange({ ...value, voice: target.value === '' ? null : target.value })}
      />
      <datalist id="voice-names">
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  )
}

/** The voice of an agent: its own, or none and then that of the installation. */
export function OwnVoice(props: {
  readonly value: AgentVoice | null
  readonly onChange: (voice: AgentVoice | null) => void
}) {
  const { value, onChange } = props
  return (
    <fieldset className="voice-own">
      <label>
        {say('voice.of-the-agent')}
        <select
          className="picker boxed"
          value={value === null ? 'installation' : 'own'}
          onChange={({ target }) => onChange(target.value === 'own' ? NO_VOICE : null)}
        >
          <option value="installation">{say('voice.as-the-installation')}</option>
          <option value="own">{say('voice.its-own')}</option>
        </select>
      </label>
      {value !== null && <VoiceFields value={value} onChange={onChange} />}
    </fieldset>
  )
}
