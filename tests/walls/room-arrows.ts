import { posix } from 'node:path'
import { importsOf, isRelative, targetOf } from './imports.ts'
import type { SourceFile } from './source-file.ts'

/**
 * The rooms of a folder, from the roof to the ground: what stands in one may import what stands in those after it.
 * Files beside the rooms are the roof. Tests stand above all rooms.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'packages/engine/src': [
    'testing',
    'embed',
    'process',
    'system',
    'preview',
    'run',
    'commands',
    'calls',
    'request',
    'live',
    'chosen',
    'log',
    'api',
    'memories',
  ],
  'packages/protocol/src': [
    'reference',
    'routes',
    'external',
    'voice',
    'preview',
    'frames',
    'commands',
    'answers',
    'parts',
  ],
  'packages/external-agent/src': ['parts'],
  'packages/context/src': ['price', 'use', 'window', 'request', 'sent', 'size'],
  'packages/server/src': [
    'routes',
    'live',
    'imports',
    'push',
    'voice',
    'schedules',
    'previews',
    'workspaces',
    'presets',
    'agents',
    'settings',
    'accounts',
    'door',
    'parts',
  ],
  'packages/client/src': ['react', 'apis', 'conversation', 'values', 'link'],
  'packages/store/src/postgres': ['maintenance', 'reading', 'tables', 'connection'],
  'packages/store/src/sqlite': ['threads', 'maintenance', 'reading', 'tables', 'messages', 'files'],
  'apps/holdfast/src/cli': ['commands', 'acts', 'archive', 'acp', 'pipes', 'terminal', 'reach'],
  'apps/web/src': [
    'shell',
    'first',
    'settings',
    'administration',
    'thread',
    'inspector',
    'review',
    'terminal',
    'presets',
    'agents',
    'files',
    'workspaces',
    'schedules',
    'tool-panel',
    'rules',
    'tools',
    'canvas',
    'composer',
    'preview',
    'voice',
    'limits',
    'memories',
    'archive',
    'reset',
    'account',
    'shared',
  ],
}

/** [ARCH14] Imports from a room into one above it, rooms without a place, and places without a room. */
export function roomOffences(
  files: readonly SourceFile[],
  rooms: Readonly<Record<string, readonly string[]>>,
): string[] {
  return Object.entries(rooms).flatMap(([house, order]) => {
    const inside = files.filter(({ path }) => path.startsWith(`${house}/`))
    const found = new Set(inside.map(({ path }) => roomOf(house, path)))
    return [
      ...inside.flatMap((file) => climbing(house, order, file)),
      ...[...found]
        .filter((room) => room !== ROOF && !order.includes(room))
        .map((room) => `${house}/${room}: has no place in ROOMS`),
      ...order.filter((room) => !found.has(room)).map((room) => `${house}/${room}: has a place in ROOMS and no files`),
    ]
  })
}

const ROOF = ''

function roomOf(house: string, path: string): string {
  const inside = posix.relative(house, path)
  return inside.includes('/') ? (inside.split('/')[0] ?? ROOF) : ROOF
}

function climbing(house: string, order: readonly string[], file: SourceFile): string[] {
  const floor = (path: string) => order.indexOf(roomOf(house, path))
  return importsOf(file)
    .filter(({ specifier }) => isRelative(specifier))
    .map(targetOf)
    .filter((target) => /\.tsx?$/.test(target) && target.startsWith(`${house}/`) && floor(target) < floor(file.path))
    .map((target) => `${file.path} -> ${target}`)
    .map((climb) => `${climb}: a room may not import from one above it`)
}
