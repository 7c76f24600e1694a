import type { Workspace } from '@holdfast/toolbox'
import { PreviewError } from '../preview-error.ts'
import type { PlaceWish, PreviewPlace, PreviewsDeps } from '../previews-deps.ts'
import { detectCommand, factsOf } from '../servers/detect-command.ts'
import type { ServerCommand } from '../servers/dev-server.ts'
import type { PreviewSource } from '../stored-previews.ts'

/** What is really shown, and where. */
export interface SettledSource {
  readonly source: PreviewSource
  readonly place: PreviewPlace | null
}

/** What is really meant: the folder of a place without a command is one of files. @throws {PreviewError} */
export async function settleSource(
  source: PreviewSource,
  wish: PlaceWish,
  deps: Pick<PreviewsDeps, 'ownPorts' | 'placeOf'>,
): Promise<SettledSource> {
  if (source.type === 'port') {
    if (deps.ownPorts().includes(source.port))
      throw new PreviewError('port-refused', `Port ${source.port} is Holdfast's own, which is no preview`)
    return { source, place: null }
  }
  const place = await deps.placeOf(wish)
  if (place === null) throw new PreviewError('no-place', 'There is no folder to preview: choose a workspace first')
  if (source.type === 'folder' || source.line !== null) return { source, place }
  const found = await detectCommand(factsOf(place.workspace))
  switch (found.type) {
    case 'command':
      return { source, place }
    case 'folder':
      return { source: { type: 'folder', folder: found.folder }, place }
    case 'nothing':
      throw nothingFound()
  }
}

/** The line that is named, or the one that is found. @throws {PreviewError} */
export async function commandIn(workspace: Workspace, line: string | null): Promise<ServerCommand> {
  if (line !== null) return { line, folder: '' }
  const found = await detectCommand(factsOf(workspace))
  if (found.type === 'command') return found
  throw nothingFound()
}

function nothingFound(): PreviewError {
  return new PreviewError(
    'nothing-found',
    'Nothing in this folder shows a page: no script dev, start, serve or preview in package.json, no known framework, no index.html. Name a command, a folder or a port',
  )
}
