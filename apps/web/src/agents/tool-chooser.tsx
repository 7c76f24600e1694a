import type { Client } from '@holdfast/client'
import type { ToolRow } from '@holdfast/protocol'
import { useId, useState } from 'react'
import { useAsked } from '../shared/ask-server.ts'
import { shortCount } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { type ToolGroup, tokensOf, toolGroups } from '../tool-panel/tool-groups.ts'

interface ChooserProps {
  readonly client: Client
  /** Names of tools. */
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** As many tools of one source are shown at once: a server may have thousands, and the search finds the others. */
const MOST = 100

/** The tools that an agent may use, by source, with what their definitions take of every request. */
export function ToolChooser({ client, chosen, onChange }: ChooserProps) {
  const [{ value, problem }] = useAsked(client.readToolsOfNew)
  const [words, setWords] = useState('')
  const id = useId()
  const tools = value?.tools ?? []
  const gone = value === null ? [] : chosen.filter((name) => !tools.some((tool) => tool.name === name))
  const sum = tokensOf(tools.filter(({ name }) => chosen.includes(name)))
  const set = (names: readonly string[], isChosen: boolean): void => {
    const others = chosen.filter((name) => !names.includes(name))
    onChange(isChosen ? [...others, ...names] : others)
  }
  return (
    <fieldset className="tool-chooser" data-testid="tool-chooser">
      <legend>{say('agents.tools')}</legend>
      <p className="meta" role="status">
        {say('agents.chosen-tools', { count: chosen.length, tokenCount: sum, tokens: shortCount(sum) })}
      </p>
      {problem !== null && (
        <p className="problem" role="alert">
          {say('agents.tools-not-read', { problem })}
        </p>
      )}
      <div className="search-field">
        <label htmlFor={id} className="visually-hidden">
          {say('agents.search-tools')}
        </label>
        <input
          id={id}
          type="search"
          dir="auto"
          placeholder={say('agents.search-tools')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </div>
      {toolGroups({ tools: tools.filter((tool) => matches(tool, words)), excludedSources: [] }, []).map((group) => (
        <Source key={group.source ?? ''} group={group} chosen={chosen} onSet={set} />
      ))}
      {gone.length > 0 && (
        <div className="tool-source" data-testid="tools-not-here">
          <p className="meta">{say('agents.chosen-not-here')}</p>
          {gone.map((name) => (
            <label key={name} className="check">
              <input type="checkbox" checked onChange={() => set([name], false)} />
              <code>{name}</code>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}

interface SourceProps {
  readonly group: ToolGroup
  readonly chosen: readonly string[]
  readonly onSet: (names: readonly string[], isChosen: boolean) => void
}

function Source({ group: { source, tools }, chosen, onSet }: SourceProps) {
  if (tools.length === 0) return null
  const names = tools.map(({ name }) => name)
  const count = names.filter((name) => chosen.includes(name)).length
  const title = source ?? say('agents.built-in')
  const isWhole = count === names.length
  const tokenCount = tokensOf(tools)
  return (
    <fieldset className="tool-source" data-testid="tool-source-choice">
      <legend>
        <strong>{title}</strong>{' '}
        <span className="meta">
          {say('agents.chosen-of-source', { count, all: tools.length, tokenCount, tokens: shortCount(tokenCount) })}
        </span>{' '}
        <button
          type="button"
          className="link-button"
          aria-label={
            isWhole ? say('agents.none-of-source', { source: title }) : say('agents.all-of-source', { source: title })
          }
          onClick={() => onSet(names, !isWhole)}
        >
          {isWhole ? say('agents.no-tool') : say('agents.all-tools')}
        </button>
      </legend>
      {tools.slice(0, MOST).map((tool) => (
        <Choice
          key={tool.name}
          tool={tool}
          isChosen={chosen.includes(tool.name)}
          onSet={(isChosen) => onSet([tool.name], isChosen)}
        />
      ))}
      {tools.length > MOST && <p className="meta">{say('agents.first-tools-shown', { count: MOST })}</p>}
    </fieldset>
  )
}

function Choice({
  tool: { name, source, description, schemaTokens },
  isChosen,
  onSet,
}: {
  readonly tool: ToolRow
  readonly isChosen: boolean
  readonly onSet: (isChosen: boolean) => void
}) {
  return (
    <label className="check" title={description}>
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onSet(target.checked)} />
      <code>{source === undefined ? name : name.replace(/^.*?__/, '')}</code>
      <span className="meta">{shortCount(schemaTokens)}</span>
    </label>
  )
}

/** Every word stands somewhere in the name, the source or the description. */
function matches({ name, source, description }: ToolRow, words: string): boolean {
  const text = `${name} ${source ?? ''} ${description}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
