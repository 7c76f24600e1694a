import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import { START_WORKSPACE } from '@holdfast/protocol'
import { createWorkspaceDirectory } from '@holdfast/server'
import { createMemoryStore } from '@holdfast/store/memory'
import { createPlaces } from '@holdfast/workbench'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFolderChooser } from '../src/workspaces/folder-chooser.ts'

const chief = { userId: 'chief', role: 'admin' } as const
const other = { userId: 'other', role: 'admin' } as const
const ann = { userId: 'ann', role: 'user' } as const

let top = ''

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-workspaces-')))
  for (const folder of ['home/one/part', 'home/two', 'home/.hidden', 'data/keys', 'elsewhere/git/.git'])
    await mkdir(join(top, folder), { recursive: true })
})

afterEach(() => rm(top, { recursive: true }))

function open(startRoot: string | null = null) {
  const { records } = createMemoryStore({ clock: systemClock })
  const closed = [join(top, 'data')]
  const chooser = createFolderChooser({
    roots: [join(top, 'home'), join(top, 'not there')],
    closed,
    configPath: join(top, 'data/holdfast.json'),
  })
  let uses = 0
  const server = () =>
    createWorkspaceDirectory({
      records,
      clock: systemClock,
      chooser,
      startRoot,
      whenUsed: async () => void uses++,
    })
  const directory = server()
  const places = createPlaces({ roots: { rootOf: directory.rootOf, worktreeOf: () => null }, closed })
  return { directory, places, server, chooser, uses: () => uses }
}

it('[WS6] opens a folder once for a person, names it, and gives it back after a restart', async () => {
  const { directory, server, uses } = open()
  await directory.refresh()
  expect(uses()).toBe(0)
  const { row, isNew } = await directory.open(chief, { root: join(top, 'home/one') })
  expect(isNew).toBe(true)
  expect(row).toMatchObject({
    name: 'one',
    root: join(top, 'home/one'),
    access: 'owner',
    origin: 'own',
    canChange: true,
  })
  expect(uses()).toBe(1)
  expect(await directory.open(chief, { root: `${top}/home/./one/` })).toEqual({ row, isNew: false })
  const again = server()
  expect(again.rows(chief)).toEqual([])
  await again.refresh()
  expect(again.rows(chief)).toEqual([row])
})

it('[WS6] is used by those who may, and a right that is taken away counts at once', async () => {
  const { directory, places } = open()
  const { row } = await directory.open(chief, { root: join(top, 'home/one') })
  const settings = { workspaceId: row.id }
  const folderFor = (ownerId: string) => places.folderOf({ ownerId, settings })
  expect(folderFor('chief')).toBe(join(top, 'home/one'))
  expect(folderFor('ann')).toBeNull()
  expect(directory.rows(ann)).toEqual([])
  expect(() => directory.read(ann, row.id)).toThrow('There is no workspace')
  const shared = await directory.change(chief, row.id, { version: row.version, access: ['ann'] })
  expect(folderFor('ann')).toBe(join(top, 'home/one'))
  expect(directory.rows(ann)).toMatchObject([{ id: row.id, origin: 'shared', canChange: false }])
  await expect(directory.change(ann, row.id, { version: shared.version, name: 'mine' })).rejects.toMatchObject({
    status: 403,
  })
  await expect(directory.close(ann, row.id)).rejects.toMatchObject({ status: 403 })
  const withdrawn = await directory.change(other, row.id, { version: shared.version, access: 'owner' })
  expect(folderFor('ann')).toBeNull()
  await expect(directory.change(ann, row.id, { version: withdrawn.version, name: 'mine' })).rejects.toMatchObject({
    status: 404,
    code: 'unknown-workspace',
  })
  await directory.close(chief, row.id)
  expect(folderFor('chief')).toBeNull()
  expect(directory.rows(chief)).toEqual([])
  // Opened again it is the same: conversations that worked there work there again.
  const opened = await directory.open(chief, { root: join(top, 'home/one') })
  expect(opened).toMatchObject({ isNew: true, row: { id: row.id, access: 'owner' } })
  expect(folderFor('chief')).toBe(join(top, 'home/one'))
  expect((await directory.open(other, { root: join(top, 'home/one') })).row.id).not.toBe(row.id)
})

it('[WS6] says a change that another has made since is a conflict, and keeps it', async () => {
  const { directory, server } = open()
  const { row } = await directory.open(chief, { root: join(top, 'home/one') })
  const elsewhere = server()
  await elsewhere.change(chief, row.id, { version: row.version, name: 'first' })
  await expect(directory.change(chief, row.id, { version: row.version, name: 'second' })).rejects.toMatchObject({
    status: 409,
  })
  expect(directory.rows(chief)).toMatchObject([{ name: 'first' }])
})

it('[WS6] has the folder of the start for everyone, which nobody changes', async () => {
  const { directory, places } = open(join(top, 'home/two'))
  await directory.refresh()
  expect(directory.rows(ann)).toMatchObject([
    { id: START_WORKSPACE, access: 'everyone', origin: 'start', canChange: false },
  ])
  for (const settings of [{}, { workspaceId: START_WORKSPACE }])
    expect(places.folderOf({ ownerId: 'ann', settings })).toBe(join(top, 'home/two'))
  await expect(directory.close(chief, START_WORKSPACE)).rejects.toMatchObject({ status: 403 })
  await expect(directory.change(chief, START_WORKSPACE, { version: 1, name: 'x' })).rejects.toMatchObject({
    status: 403,
  })
})

it('[WS7] works in a folder of its workspace, by whatever name, and never above it', async () => {
  const { directory, places } = open()
  const { row } = await directory.open(chief, { root: join(top, 'home/one') })
  await symlink(join(top, 'home/two'), join(top, 'home/one/out'))
  const folderOf = (workspace: string) =>
    places.folderOf({ ownerId: 'chief', settings: { workspaceId: row.id, workspace } })
  expect(folderOf('part')).toBe(join(top, 'home/one/part'))
  expect(folderOf(join(top, 'home/one/part'))).toBe(join(top, 'home/one/part'))
  for (const outside of ['..', '../two', 'out', join(top, 'home/two'), 'not there'])
    expect(folderOf(outside), outside).toBeNull()
})

it('[WS7] has no folder in a worktree that is not there', async () => {
  const { directory, places } = open(join(top, 'home/two'))
  await directory.refresh()
  expect(places.folderOf({ ownerId: 'ann', settings: { worktreeId: 'worktree_gone' } })).toBeNull()
})

it('[CLI25] says of a folder that may not be opened where more is allowed, and of one that is not there that it is not', async () => {
  const { chooser } = open()
  await expect(chooser.check(join(top, 'elsewhere'))).rejects.toThrow(
    `To open it, name its folder in workspaceRoots of ${join(top, 'data/holdfast.json')} and start Holdfast anew, or start it with --workspace ${join(top, 'elsewhere')}`,
  )
  await expect(chooser.check(join(top, 'nowhere'))).rejects.toThrow(
    `${join(top, 'nowhere')} cannot be opened: there is no such folder`,
  )
})

it('[SEC32] lets nobody open what lies outside of the allowed folders, or touches what is the server’s', async () => {
  const { directory, chooser } = open()
  await symlink(join(top, 'elsewhere'), join(top, 'home/link'))
  await symlink(join(top, 'data'), join(top, 'home/keys'))
  const refused = [
    'home/link',
    'home/keys',
    'home/keys/keys',
    'elsewhere',
    '',
    'home/../data',
    'home/none',
    'home/one/../..',
  ]
  for (const root of refused) {
    const path = `${top}/${root}`
    await expect(directory.open(chief, { root: path }), path).rejects.toMatchObject({
      status: 422,
      code: 'folder-refused',
    })
  }
  for (const path of ['home', './home', '~/home', '/proc/self/root', '/'])
    await expect(chooser.list(path), path).rejects.toMatchObject({ code: 'folder-refused' })
  expect(await chooser.list(null)).toMatchObject({
    path: join(top, 'home'),
    parent: null,
    isCut: false,
    refusal: null,
    folders: [{ name: 'keys' }, { name: 'link' }, { name: 'one', isGit: false }, { name: 'two' }],
  })
  expect(await chooser.list(join(top, 'home/one'))).toMatchObject({
    parent: join(top, 'home'),
    folders: [{ name: 'part' }],
  })
})

it('[SEC32] refuses a folder that holds what is the server’s, though it may be looked through', async () => {
  const chooser = createFolderChooser({
    roots: [top],
    closed: [join(top, 'data')],
    configPath: join(top, 'holdfast.json'),
  })
  await expect(chooser.check(top)).rejects.toThrow('belongs to Holdfast')
  expect(await chooser.list(top)).toMatchObject({
    refusal: expect.stringContaining('belongs to Holdfast'),
    folders: [{ name: 'elsewhere' }, { name: 'home' }],
  })
  expect((await chooser.list(join(top, 'elsewhere'))).folders).toMatchObject([{ name: 'git', isGit: true }])
})
