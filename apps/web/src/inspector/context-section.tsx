import type { ContextAnswer, ConversationContext, ConversationStore, Remote } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { type SubmitEvent, useEffect, useState } from 'react'
import { ContextRuler } from '../composer/context/context-ruler.tsx'
import { shortUseWords } from '../composer/context/context-words.ts'
import { freeTokens, segmentsOf } from '../composer/context/segments.ts'
import { useTold } from '../shared/ask-server.ts'
import { percentText, shortCount, wholeCount } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { errorText } from '../shared/problem-words.ts'
import { busyWords, whenFree } from '../shared/when-free.ts'

/** What fills the window, by kind. [C1] */
export function ContextSection({ use: { value, state, problem } }: { readonly use: Remote<ContextAnswer> }) {
  return (
    <section className="inspector-part" data-testid="inspector-context">
      <header>
        <h3>{say('inspector.context')}</h3>
        <span className="meta">
          {value && value.modelId !== null
            ? value.measured
              ? say('inspector.measured')
              : say('inspector.estimated')
            : ''}
        </span>
      </header>
      {value ? <Breakdown use={value} /> : <p className="meta">{say('inspector.numbers-appear-once-the-model')}</p>}
      {state === 'failed' && (
        <p className="problem">{say('inspector.not-read', { problem: problem ? errorText(problem) : '' })}</p>
      )}
    </section>
  )
}

interface SummariseProps {
  readonly context: ConversationContext
  readonly store: ConversationStore
}

/** Makes room: a summary takes the place of all but the newest part. [CHK1] */
export function SummariseSection({ context, store }: SummariseProps) {
  const isBusy = useConversation(store, (state) => state.overview.runState.exclusive !== null)
  const [focus, setFocus] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  const end = useConversation(store, (state) => (asked === null ? null : (state.window.runEnds.get(asked) ?? null)))
  const summarising = useTold()
  useEffect(() => {
    if (end && end.outcome === 'completed' && end.reason === null) setFocus('')
  }, [end])

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    whenFree(store, () => void summarise())
  }

  async function summarise(): Promise<void> {
    await summarising.run(async () => setAsked(await context.makeCheckpoint(focus.trim() === '' ? null : focus.trim())))
  }

  const words = summarising.problem ?? end?.reason ?? null
  return (
    <form className="inspector-part summarise" onSubmit={onSubmit}>
      <input
        type="text"
        aria-label={say('inspector.what-the-summary-keeps-above')}
        placeholder={say('inspector.keep-above-all-optional')}
        dir="auto"
        value={focus}
        onChange={({ target }) => setFocus(target.value)}
      />
      <button
        type="submit"
        className="button small"
        aria-disabled={isBusy}
        title={isBusy ? busyWords() : say('inspector.a-summary-takes-the-place')}
      >
        {say('inspector.summarise')}
      </button>
      {words !== null && (
        <p className="meta" role="status">
          {words}
        </p>
      )}
    </form>
  )
}

function Breakdown({ use }: { readonly use: ContextAnswer }) {
  const { windowTokens, usedTokens, measured, modelId } = use
  const about = measured ? '' : '≈ '
  const isAgents = use.heldBy === 'agent'
  if (modelId === null) return <p className="meta">{say('inspector.no-model-is-connected')}</p>
  return (
    <>
      <p className="use">
        <strong>{shortUseWords(use)}</strong>
        <span className="meta">
          {windowTokens === null
            ? say('context.window-unknown-of', { count: usedTokens, tokens: `${about}${wholeCount(usedTokens)}` })
            : say('inspector.used-of', { used: `${about}${shortCount(usedTokens)}`, window: shortCount(windowTokens) })}
        </span>
      </p>
      <ContextRuler use={use} isTall />
      {isAgents ? <p className="meta">{say('inspector.agent-context')}</p> : <Parts use={use} />}
    </>
  )
}

/** What fills it, part by part. */
function Parts({ use }: { readonly use: ContextAnswer }) {
  const free = freeTokens(use)
  const servers = Object.entries(use.breakdown.tools).filter(([, tokens]) => tokens > 0)
  return (
    <table className="figures">
      <tbody>
        {segmentsOf(use).map(({ name, words, tokens }) => (
          <Row key={name} segment={name} words={words} tokens={tokens} use={use} />
        ))}
        {servers.length > 1 &&
          servers.map(([name, tokens]) => (
            <Row
              key={`tools ${name}`}
              segment={null}
              words={name === '' ? say('inspector.built-in') : name}
              tokens={tokens}
              use={use}
            />
          ))}
        {free !== null && <Row segment="free" words={say('inspector.free')} tokens={free} use={use} />}
        <Row segment="reserve" words={say('inspector.kept-for-the-reply')} tokens={use.reservedTokens} use={use} />
      </tbody>
    </table>
  )
}

interface RowProps {
  readonly segment: string | null
  readonly words: string
  readonly tokens: number
  readonly use: ContextAnswer
}

function Row({ segment, words, tokens, use: { windowTokens } }: RowProps) {
  return (
    <tr className={segment === null ? 'under' : undefined}>
      <th scope="row">
        {segment !== null && <span className="swatch" data-segment={segment} />}
        {words}
      </th>
      <td>{shortCount(tokens)}</td>
      <td className="share">{windowTokens === null ? '' : percentText(tokens / windowTokens)}</td>
    </tr>
  )
}
