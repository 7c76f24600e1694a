import { useEffect, useRef, useState } from 'react'
import { say } from '../shared/language/say.ts'
import { canDictate, type Dictation, startDictation } from './dictation.ts'
import { VoiceSign } from './voice-signs.tsx'
import { writeHeard } from './write-heard.ts'

/** Takes dictation into the message field. It is there where the browser can, listens while it is pressed in, and never sends. [VOICE7] */
export function Microphone({ engine }: { readonly engine: 'browser' | 'server' }) {
  const [state, setState] = useState<'off' | 'listening' | 'writing'>('off')
  const [guess, setGuess] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [again, setAgain] = useState<(() => void) | null>(null)
  const dictation = useRef<Dictation | null>(null)
  useEffect(() => () => dictation.current?.drop(), [])
  if (!canDictate(engine)) return null

  function press(): void {
    if (again !== null) {
      tryAgain(again)
      return
    }
    if (state !== 'off') {
      if (state === 'listening' && engine === 'server') setState('writing')
      dictation.current?.finish()
      return
    }
    setProblem(null)
    setState('listening')
    dictation.current = startDictation(engine, {
      onWords: writeHeard,
      onGuess: setGuess,
      onEnd(why, writeAgain) {
        if (writeAgain === null) dictation.current = null
        setState('off')
        setGuess('')
        setProblem(why)
        setAgain(() => writeAgain)
      },
    })
  }

  function tryAgain(write: () => void): void {
    setAgain(null)
    setProblem(null)
    setState('writing')
    write()
  }

  function dismiss(): void {
    setProblem(null)
    setAgain(null)
    dictation.current = null
  }

  const words = { off: 'voice.dictate', listening: 'voice.stop-dictating', writing: 'voice.stop-writing' } as const
  return (
    <>
      <button
        type="button"
        className="icon-button voice-microphone"
        data-testid="dictate"
        data-state={state}
        aria-pressed={state === 'listening'}
        aria-label={say(words[state])}
        title={say(words[state])}
        onClick={press}
      >
        <VoiceSign name="microphone" />
      </button>
      {(state !== 'off' || problem !== null) && (
        <p className={`voice-heard${problem === null ? '' : ' problem'}`} role={problem === null ? 'status' : 'alert'}>
          <span dir="auto">
            {problem ?? (guess === '' ? say(state === 'writing' ? 'voice.writing-it-down' : 'voice.listening') : guess)}
          </span>
          {again !== null && (
            <button type="button" className="link-button" onClick={() => tryAgain(again)}>
              {say('common.try-again')}
            </button>
          )}
          {problem !== null && (
            <button type="button" className="link-button" onClick={dismiss}>
              {say(again === null ? 'common.dismiss' : 'voice.discard')}
            </button>
          )}
        </p>
      )}
    </>
  )
}
