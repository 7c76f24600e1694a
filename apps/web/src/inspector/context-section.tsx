import type { ContextAnswer, Remote } from '@holdfast/client'
import { ContextRuler } from '../context/context-ruler.tsx'
import { shortUseWords } from '../context/context-words.ts'
import { freeTokens, segmentsOf } from '../context/segments.ts'
import { percentText, shortCount, wholeCount } from '../format.ts'
import { say } from '../language/say.ts'
import { errorText } from '../problem-words.ts'

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

function Breakdown({ use }: { readonly use: ContextAnswer }) {
  const { windowTokens, usedTokens, reservedTokens, measured, modelId } = use
  const about = measured ? '' : '≈ '
  const free = freeTokens(use)
  const servers = Object.entries(use.breakdown.tools).filter(([, tokens]) => tokens > 0)
  if (modelId === null) return <p className="meta">{say('inspector.no-model-is-connected')}</p>
  return (
    <>
      <p className="use">
        <strong>{shortUseWords(use)}</strong>
        <span className="meta">
          {windowTokens === null
            ? say('context.window-unknown-of', { tokens: `${about}${wholeCount(usedTokens)}` })
            : say('inspector.used-of', { used: `${about}${shortCount(usedTokens)}`, window: shortCount(windowTokens) })}
        </span>
      </p>
      <ContextRuler use={use} isTall />
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
          <Row segment="reserve" words={say('inspector.kept-for-the-reply')} tokens={reservedTokens} use={use} />
        </tbody>
      </table>
    </>
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
