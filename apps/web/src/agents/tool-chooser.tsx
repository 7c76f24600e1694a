import type { Client } from '@holdfast/client'
import type { ToolRow } from '@holdfast/protocol'
import { useId, useState } from 'react'
import { useLoaded } from '../account/use-loaded.ts'
import { shortCount } from '../format.ts'
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
  const { value, problem } = useLoaded(client.readToolsOfNew)
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
      <legend>Tools</legend>
      <p className="meta" role="status">{`${chosen.length} chosen · ≈ ${shortCount(sum)} tokens in every request`}</p>
      {problem !== null && (
        <p className="problem" role="alert">
          {`The tools could not be read: ${problem}`}
        </p>
      )}
      <div className="search-field">
        <label htmlFor={id} className="visually-hidden">
          Search tools
        </label>
        <input
          id={id}
          type="search"
          dir="auto"
          placeholder="Search tools"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </div>
      {toolGroups({ mode: 'manual', tools: tools.filter((tool) => matches(tool, words)), excludedSources: [] }, []).map(
        (group) => (
          <Source key={group.source ?? ''} group={group} chosen={chosen} onSet={set} />
        ),
      )}
      {gone.length > 0 && (
        <div className="tool-source" data-testid="tools-not-here">
          <p className="meta">Chosen, and not here now: kept until you take them off.</p>
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
  const title = source ?? 'built-in'
  return (
    <fieldset className="tool-source" data-testid="tool-source-choice">
      <legend>
        <strong>{title}</strong>
        <span className="meta">{` ${count} of ${tools.length} · ${shortCount(tokensOf(tools))} tokens `}</span>
        <button type="button" className="link-button" onClick={() => onSet(names, count < names.length)}>
          {count < names.length ? 'All' : 'None'}
          <span className="visually-hidden">{` of ${title}`}</span>
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
      {tools.length > MOST && <p className="meta">{`The first ${MOST} are shown; search for the others.`}</p>}
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
function matches({ name, source = '', description }: ToolRow, words: string): boolean {
  const text = `${name} ${source} ${description}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
