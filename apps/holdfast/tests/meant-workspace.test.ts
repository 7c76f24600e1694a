import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { WorkspaceRow } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { meantAmong, placeAmong } from '../src/cli/reach/meant-workspace.ts'

let base = ''
let rows: readonly WorkspaceRow[] = []

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-meant-')))
  for (const folder of ['shop', 'other/shop', 'other/deep', 'plain'])
    await mkdir(join(base, folder), { recursive: true })
  rows = [row('workspace_1', 'shop', 'shop'), row('workspace_2', 'other', 'other')]
})

afterEach(() => rm(base, { recursive: true }))

function row(id: string, name: string, folder: string): WorkspaceRow {
  return {
    id,
    version: 1,
    name,
    root: join(base, folder),
    access: 'owner',
    readsInstructions: true,
    isGit: false,
    isThere: true,
    origin: 'own',
    canChange: true,
  }
}

test('[CLI27] a workspace is meant by its id, its name, and any way to write its folder', () => {
  const here = relative(process.cwd(), join(base, 'shop'))
  for (const wanted of ['workspace_1', 'shop', join(base, 'shop'), `${base}/other/../shop/`, here])
    expect(meantAmong(rows, wanted).id, wanted).toBe('workspace_1')
  const twice = [...rows, row('workspace_3', 'shop', 'other/shop')]
  expect(meantAmong(twice, join(base, 'other/shop')).id).toBe('workspace_3')
  expect(() => meantAmong(twice, 'shop')).toThrow(
    '2 workspaces are called shop: give the id or the folder. See which there are: holdfast workspaces',
  )
})

test('[CLI27] what is no workspace is told apart: nothing, a folder that is none yet, and one within another', () => {
  expect(() => meantAmong(rows, 'nope')).toThrow(/^There is no workspace nope, and no folder \/.+\/nope\. See which/)
  const plain = join(base, 'plain')
  expect(() => meantAmong(rows, plain)).toThrow(
    `${plain} is no workspace yet. Open it as one with: holdfast open ${plain}`,
  )
  expect(() => meantAmong(rows, join(base, 'other/deep'))).toThrow(
    `${join(base, 'other/deep')} is a folder of the workspace other. Open it as one with: holdfast open`,
  )
})

test('[CLI28] the present folder is in the innermost workspace around it, and else in that of the start', () => {
  const inner = [...rows, row('workspace_3', 'shop', 'other/shop')]
  expect(placeAmong(inner, join(base, 'other/shop')).id).toBe('workspace_3')
  expect(placeAmong(inner, join(base, 'other/deep')).id).toBe('workspace_2')
  expect(placeAmong([row('workspace_4', 'base', '.'), ...rows], join(base, 'plain')).id).toBe('workspace_4')
  // A folder whose name begins alike is another.
  expect(() => placeAmong([row('workspace_5', 'pla', 'pla')], join(base, 'plain'))).toThrow('lies in no workspace')
  const start: WorkspaceRow = { ...row('workspace_start', 'start', 'shop'), origin: 'start' }
  expect(placeAmong([start], join(base, 'plain')).id).toBe('workspace_start')
})
