import { type PreviewRow, routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { meantWorkspace, workspaceHere } from '../reach/meant-workspace.ts'
import { reachRunningServer } from '../reach/reach-server.ts'
import { withApi } from '../reach/with-api.ts'
import { plainText } from '../terminal/plain-text.ts'

/** What a command about previews was told. */
export interface PreviewOptions {
  readonly dataDir?: string
  readonly json: boolean
}

/** What `preview start` was told. */
export interface PreviewStart extends PreviewOptions {
  readonly command?: string
  readonly port?: string
  readonly folder?: string
  readonly workspace?: string
}

const LOOK_MS = 200
const WAIT_MS = 60_000
/** What becomes of one that nothing answers for yet. */
const LATER = '; it is shown as soon as something does. How it stands: holdfast preview status'

/**
 * Starts the preview of a workspace and prints where it is, once it answers: that of the present folder where none is named.
 * A server of this command's own would end with it, and the preview too. @returns the exit code. [CLI18, CLI28]
 */
export async function startPreview({
  command,
  port,
  folder,
  workspace,
  json,
  ...options
}: PreviewStart): Promise<number> {
  if (port !== undefined && !/^\d{1,5}$/.test(port))
    throw new CliError('E_USAGE', 2, `--port is a number from 1 to 65535, not "${port}".`)
  const { api } = await reachRunningServer({ detect: false, ...options })
  const workspaceId = await placeOf(api, { workspace, isPlaced: port === undefined })
  const body = {
    ...(command === undefined ? {} : { command }),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(folder === undefined ? {} : { folder: folder === '.' ? '' : folder }),
    ...(workspaceId === null ? {} : { workspaceId }),
  }
  const made = await api.call(routes.makePreview, { body })
  const row = await untilSettled(api, made)
  if (json) process.stdout.write(`${JSON.stringify(row)}\n`)
  else {
    const { url } = await api.call(routes.makePreviewTicket, { params: { previewId: row.id }, body: {} })
    process.stdout.write(`${lineOf(row)}\n`)
    if (row.state === 'ready') process.stdout.write(`Open it once, within a minute: ${url}\n`)
    if (row.problem !== null)
      process.stderr.write(`${plainText(row.problem)}${row.state === 'starting' ? LATER : ''}\n`)
  }
  return row.state === 'crashed' ? 1 : 0
}

/** A port has no place: where none is named, none is looked for. */
async function placeOf(
  api: Api,
  { workspace, isPlaced }: { readonly workspace: string | undefined; readonly isPlaced: boolean },
): Promise<string | null> {
  if (workspace !== undefined) return (await meantWorkspace(api, workspace)).id
  return isPlaced ? (await workspaceHere(api)).id : null
}

/** Stops one with all that it started. @returns the exit code. [CLI18] */
export function stopPreview(name: string | undefined, { json, ...options }: PreviewOptions): Promise<number> {
  return withApi(options, async (api) => {
    const { id: previewId } = await meant(api, name)
    const row = await api.call(routes.stopPreview, { params: { previewId } })
    process.stdout.write(`${json ? JSON.stringify(row) : lineOf(row)}\n`)
    return 0
  })
}

/** Prints how previews stand. @returns the exit code. [CLI18] */
export function showPreviews({ json, ...options }: PreviewOptions): Promise<number> {
  return withApi({ ...options, looksOnly: true }, async (api) => {
    const { previews } = await api.call(routes.listPreviews, { query: {} })
    for (const row of previews) process.stdout.write(`${json ? JSON.stringify(row) : lineOf(row)}\n`)
    if (previews.length === 0 && !json) process.stderr.write('There are no previews.\n')
    return 0
  })
}

/** Prints the end of what a dev server printed. @returns the exit code. [CLI18] */
export function showPreviewLog(name: string | undefined, { json, ...options }: PreviewOptions): Promise<number> {
  return withApi({ ...options, looksOnly: true }, async (api) => {
    const { id, log } = await meant(api, name)
    process.stdout.write(json ? `${JSON.stringify({ id, log })}\n` : plainText(log))
    return 0
  })
}

/** What a person starts themselves, at a port, is not waited for. [CLI31] */
async function untilSettled(api: Api, made: PreviewRow): Promise<PreviewRow> {
  if (made.source.type === 'port') return made
  let row = made
  for (let waitedMs = 0; row.state === 'starting' && waitedMs < WAIT_MS; waitedMs += LOOK_MS) {
    await new Promise<void>((resolve) => setTimeout(resolve, LOOK_MS))
    row = await api.call(routes.readPreview, { params: { previewId: made.id } })
  }
  return row
}

/** The one that a person means; the only one where they name none. @throws {CliError} */
async function meant(api: Api, name: string | undefined): Promise<PreviewRow> {
  const { previews } = await api.call(routes.listPreviews, { query: {} })
  const found = previews.filter(({ id }) => name === undefined || id === name || id.startsWith(name))
  const [one] = found
  if (one && found.length === 1) return one
  const what = one ? `${found.length} previews are meant` : 'There is no such preview'
  throw new CliError('E_UNKNOWN_PREVIEW', 3, `${what}. See which there are: holdfast preview status`)
}

function lineOf({ id, state, port, origin, command }: PreviewRow): string {
  return [id, state, port === null ? '' : `port ${port}`, origin, command ?? '']
    .filter((part) => part !== '')
    .join('   ')
}
