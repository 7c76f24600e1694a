import type { CallPreview, ConversationFiles } from '@holdfast/client'
import { markHidden, type PendingPermission } from '@holdfast/conversation'
import { useCallback, useMemo } from 'react'
import { useAsked } from '../shared/ask-server.ts'
import { isObject } from '../shared/is-object.ts'
import { Said } from '../shared/language/said.tsx'
import { say } from '../shared/language/say.ts'
import { type AskedAct, askedAct, diffOfAct } from './asked-act.ts'
import { shortName } from './call-words.ts'
import { JsonView } from './json-view.tsx'
import { changeCount } from './lines/diff-of.ts'
import { PartedText } from './lines/parted-text.tsx'
import { besideWork } from './outside-folder.ts'
import { permissionWhy } from './permission-why.ts'
import { ReadDiff, ReadWhole } from './read-whole.tsx'
import { ChangeCount } from './tool-card.tsx'

/** What is known of a request wherever it is shown. */
export type ShownRequest = Pick<PendingPermission, 'requestId' | 'tool' | 'reason' | 'source' | 'guard' | 'pinned'> & {
  readonly input: unknown
}

interface RequestViewProps {
  readonly request: ShownRequest
  readonly files: Pick<ConversationFiles, 'previewCall'>
}

/** What happens when a call is allowed: the change, the command with its folder, the address. Its input stands behind a fold. [UI17] */
export function RequestView({ request, files }: RequestViewProps) {
  const { tool, input } = request
  const act = useMemo(() => actOf({ tool, input }), [tool, input])
  const isHere = act.type === 'write' || act.type === 'edit' || act.type === 'command'
  const { requestId } = request
  const beside = besideWork(request)
  const preview = useCallback(() => files.previewCall(requestId), [files, requestId])
  const [{ value }] = useAsked(isHere ? preview : null)
  return (
    <>
      <ActView request={request} act={act} preview={value} />
      {beside !== null && (
        <p data-testid="beside-work">
          <strong>{say(beside === 'outside' ? 'tools.outside-of-its-folder' : 'tools.belongs-to-git')}</strong>
        </p>
      )}
      <p className="permission-why">{say(permissionWhy(request))}</p>
      {request.pinned !== undefined && (
        <p data-testid="permission-about" dir="auto" lang="en">
          {markHidden(request.reason)}
        </p>
      )}
      <details className="permission-input">
        <summary>{say('tools.all-arguments')}</summary>
        <JsonView value={request.input} />
        {isSpecific(request) && request.pinned === undefined && (
          <p className="meta" dir="auto" lang="en">
            {markHidden(request.reason)}
          </p>
        )}
      </details>
    </>
  )
}

interface ActViewProps {
  readonly request: ShownRequest
  readonly act: AskedAct | LeaveAct
  /** Null until it is here. */
  readonly preview: CallPreview | null
}

function ActView({ request, act, preview }: ActViewProps) {
  const before = preview?.before ?? null
  const diff = useMemo(
    () => (act.type === 'write' || act.type === 'edit' ? diffOfAct(act, before) : null),
    [act, before],
  )
  const code = { code: (inner: React.ReactNode) => <code dir="ltr">{inner}</code> }
  switch (act.type) {
    case 'command':
      return (
        <>
          <p className="permission-what">
            {say(act.isBackground ? 'tools.start-a-command' : 'tools.run-a-command')}
            {preview?.folder && (
              <span className="meta permission-place">
                <Said
                  of="tools.in-folder"
                  values={{ folder: markHidden(joined(preview.folder, act.folder)) }}
                  tags={code}
                />
              </span>
            )}
          </p>
          <ReadWhole requestId={request.requestId} text={act.line} />
        </>
      )
    case 'write':
    case 'edit': {
      const isNew = preview !== null && preview.before === null && (act.type === 'write' || act.before === '')
      return (
        <>
          <p className="permission-what">
            <span>
              <Said
                of={isNew ? 'tools.make-file' : act.type === 'write' ? 'tools.write-file' : 'tools.change-file'}
                values={{ path: markHidden(act.path) }}
                tags={code}
              />
            </span>{' '}
            {diff && <ChangeCount {...changeCount(diff)} />}
          </p>
          {diff?.isAtMost && <p className="meta">{say('tools.not-compared')}</p>}
          {diff && <ReadDiff requestId={request.requestId} lines={diff.lines} />}
        </>
      )
    }
    case 'edits':
      return (
        <>
          <p className="permission-what">
            <span>{say('tools.change-files', { count: act.count })}</span> <ChangeCount {...changeCount(act.diff)} />
          </p>
          {act.diff.isAtMost && <p className="meta">{say('tools.not-compared')}</p>}
          <ReadDiff requestId={request.requestId} lines={act.diff.lines} />
        </>
      )
    case 'leave':
      return (
        <>
          <p className="permission-what">
            <span>
              <Said of="tools.leave-folder" values={{ path: markHidden(act.folders) }} tags={code} />
            </span>
          </p>
          <ReadWhole requestId={request.requestId} text={act.wanted} />
          <p className="meta">{say('tools.leaves-only')}</p>
        </>
      )
    case 'page':
      return (
        <>
          <p className="permission-what">
            <span>
              <Said
                of="tools.fetch-from"
                values={{ host: markHidden(act.host) }}
                tags={{ strong: (inner) => <strong dir="ltr">{inner}</strong> }}
              />
            </span>
          </p>
          <ReadWhole requestId={request.requestId} text={act.address} />
        </>
      )
    case 'other':
      return (
        <>
          <p className="permission-what">
            <span>
              <Said
                of="tools.wants-to-run"
                values={{ tool: shortName(request.tool) }}
                tags={{
                  name: (inner) => (
                    <span title={request.tool} className="tool-name">
                      {inner}
                    </span>
                  ),
                }}
              />
            </span>
          </p>
          {act.values.length > 0 && (
            <dl className="permission-values">
              {act.values.map(({ name, value }) => (
                <div key={name}>
                  <dt>{markHidden(name)}</dt>
                  <dd dir="auto">
                    {value.length > LINE_LENGTH ? <PartedText text={value} dir="auto" /> : markHidden(value)}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </>
      )
  }
}

/** A value that is longer stands in a box of its own, in UTF-16 code units. */
const LINE_LENGTH = 4_000

/** The tool whose calls ask for an agent that is a program whether it may work outside of its folder. [AGENT69] */
const LEAVE_TOOL = 'agent_leave_folder'

function actOf({ tool, input }: Pick<ShownRequest, 'tool' | 'input'>): AskedAct | LeaveAct {
  if (tool !== LEAVE_TOOL || !isObject(input)) return askedAct(input)
  const { path, paths, title } = input
  const folders = Array.isArray(paths) ? paths.map(String).join(', ') : String(path)
  return { type: 'leave', folders, wanted: String(title) }
}

/** `wanted`: the file or the command that it leaves its folder for. */
interface LeaveAct {
  readonly type: 'leave'
  readonly folders: string
  readonly wanted: string
}

function joined(folder: string, below: string): string {
  return below === '.' || below === '' ? folder : `${folder}/${below}`
}

function isSpecific({ source }: ShownRequest): boolean {
  return source === 'guard' || source === 'ask-rule'
}
