import type { TranscriptCall } from '@holdfast/conversation'
import { useMemo, useState } from 'react'
import { CopyButton } from '../shared/copy-button.tsx'
import { type PlainKey, say } from '../shared/language/say.ts'
import type { CardState } from './card-state.ts'
import { InputView } from './input-view.tsx'
import { JsonView } from './json-view.tsx'
import { DiffView } from './lines/diff-view.tsx'
import { PartedText } from './lines/parted-text.tsx'
import { shownText } from './output-of.ts'

const TABS = [
  { tab: 'output', name: 'tools.output' },
  { tab: 'input', name: 'tools.input' },
  { tab: 'raw', name: 'tools.raw' },
] as const
type Tab = (typeof TABS)[number]['tab']

function copyName(tab: Tab): PlainKey {
  switch (tab) {
    case 'output':
      return 'tools.copy-output'
    case 'input':
      return 'tools.copy-input'
    case 'raw':
      return 'tools.copy-raw'
  }
}

/** What went into a call and what came out. */
export function ToolBody(props: {
  readonly call: TranscriptCall
  readonly state: CardState
  readonly isBrief: boolean
}) {
  const { call, state, isBrief } = props
  const output = textOf(call.output)
  const hasOutput = call.outcome !== null && (output !== '' || state === 'ok')
  const [chosen, setTab] = useState<Tab | null>(null)
  const tab = chosen ?? (hasOutput ? 'output' : 'input')
  return (
    <>
      <div className="tool-tabs">
        {TABS.filter((own) => own.tab !== 'output' || hasOutput).map((own) => (
          <button key={own.tab} type="button" aria-pressed={tab === own.tab} onClick={() => setTab(own.tab)}>
            {say(own.name)}
          </button>
        ))}
        <CopyButton text={() => (tab === 'output' ? output : call.inputText)} label={say(copyName(tab))} />
      </div>
      {tab === 'output' && <OutputView text={output} isBrief={isBrief} />}
      {tab === 'input' && <InputView inputText={call.inputText} />}
      {tab === 'raw' && <RawView call={call} />}
      {call.blob && <p className="meta">{say('tools.shown-excerpt', { bytes: call.blob.sizeBytes })}</p>}
    </>
  )
}

function RawView({ call }: { readonly call: TranscriptCall }) {
  return <PartedText text={[call.name, call.callId, '', call.inputText].join('\n')} dir="ltr" />
}

/** What came after a call had settled. */
export function LateOutput({ call }: { readonly call: TranscriptCall }) {
  return <OutputView text={textOf(call.late ?? [])} isBrief={false} />
}

function textOf(parts: TranscriptCall['output']): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : say('tools.picture', { name: part.name ?? '' })))
    .join('\n')
}

/** More than this is shown when somebody asks for it. */
const SHOWN_LINES = 200

/** The first lines of what failed, which are open by themselves. */
const FIRST_LINES = 12

/** What a tool returned, as its text reads best. `isBrief`: the first lines are enough until somebody asks. */
function OutputView({ text, isBrief }: { readonly text: string; readonly isBrief: boolean }) {
  const shown = useMemo(() => shownText(text), [text])
  switch (shown.type) {
    case 'diff':
      return <DiffView lines={shown.lines} />
    case 'json':
      return <JsonView value={shown.value} />
    case 'terminal':
      return <TerminalView text={shown.text} limit={isBrief ? FIRST_LINES : SHOWN_LINES} />
    case 'table':
      return (
        <div className="table-frame">
          <table>
            <thead>
              <tr>
                {shown.columns.map((column) => (
                  <th key={column}>{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.rows.slice(0, SHOWN_LINES).map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a settled result are never moved
                <tr key={index}>
                  {shown.columns.map((column) => (
                    <td key={column} data-align={typeof row[column] === 'number' ? 'right' : undefined}>
                      {String(row[column] ?? '')}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {shown.rows.length > SHOWN_LINES && (
            <p className="meta">{say('tools.more-rows', { count: shown.rows.length - SHOWN_LINES })}</p>
          )}
        </div>
      )
  }
}

function TerminalView({ text, limit }: { readonly text: string; readonly limit: number }) {
  const [isWhole, setWhole] = useState(false)
  const lines = text.split('\n')
  if (text === '') return <p className="meta">{say('tools.nothing-was-returned')}</p>
  return (
    <>
      <PartedText text={isWhole ? text : lines.slice(0, limit).join('\n')} dir="auto" />
      {!isWhole && lines.length > limit && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          {say('tools.show-all-lines', { count: lines.length })}
        </button>
      )}
    </>
  )
}
