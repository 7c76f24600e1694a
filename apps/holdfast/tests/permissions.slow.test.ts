import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { converse } from './support/agent.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

let base: string
let dataDir: string
let program: Program

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-permissions-'))
  dataDir = join(base, 'data')
  await mkdir(join(base, 'work'))
  program = await startProgram(dataDir, {}, ['--workspace', join(base, 'work')])
})

afterEach(async () => {
  await program.stop()
  await rm(base, { recursive: true })
})

const command = (...args: readonly string[]) => runCommand(['permissions', ...args, '--data-dir', dataDir]).ended

test('[PERM5, CLI1, CLI2] what was allowed is listed and taken back in the terminal, for all conversations and for one', async () => {
  expect(await command('list')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('0 rules') })
  const person = await converse(program)
  await person.say('/demo permission')
  await person.answer('write', 'allow', 'always')
  await person.ended(1)
  await person.say('/demo permission')
  await person.ended(2)

  const listed = await command('list')
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+ {2}allow write/) })
  const ruleId = listed.stdout.split(' ')[0] ?? ''
  expect(JSON.parse((await command('list', '--json')).stdout)).toMatchObject({ rules: [{ ruleId, tool: 'write' }] })
  const inOne = () => command('list', '--conversation', person.id, '--json')
  expect(JSON.parse((await inOne()).stdout)).toMatchObject({ rules: [{ ruleId }] })
  expect(await command('list', '--conversation', 'none')).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('E_UNKNOWN_CONVERSATION'),
  })
  expect(await command('revoke', 'none')).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('There is no rule none'),
  })
  expect(await command('revoke', ruleId)).toMatchObject({ code: 0, stderr: 'Took back 1 rule.\n' })
  expect(JSON.parse((await command('list', '--json')).stdout)).toEqual({ rules: [] })
  expect(JSON.parse((await inOne()).stdout)).toEqual({ rules: [] })
  await person.say('/demo permission')
  await person.answer('write', 'deny', 'conversation')
  await person.ended(3)
}, 120_000)

test('[PERM10, PERM11] a rule by category and annotation is tried, added, shown in words and taken back in the terminal', async () => {
  const asked = ['*', '--category', 'read', 'edit', '--annotation', 'destructive=false']
  expect(await command('try', ...asked)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('allow every tool of the category edit or read that is not destructive'),
  })
  const added = await command('add', ...asked)
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('read or edit that is not destructive') })
  const ruleId = added.stdout.trim()
  expect(JSON.parse((await command('list', '--json')).stdout)).toEqual({
    rules: [{ ruleId, effect: 'allow', tool: '*', category: ['edit', 'read'], annotations: { destructive: false } }],
  })
  expect((await command('list')).stdout).toBe(
    `${ruleId}  allow every tool of the category edit or read that is not destructive\n`,
  )
  expect(await command('add', '*', '--category', 'read')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('destructive: false'),
  })
  for (const wrong of [
    ['--category', 'reads'],
    ['--categories', 'read'],
    ['--annotation', 'readonly=true'],
  ])
    expect(await command('add', '*', ...wrong)).toMatchObject({ code: 2, stdout: '' })
  expect(await command('revoke', ruleId)).toMatchObject({ code: 0 })
  expect(JSON.parse((await command('list', '--json')).stdout)).toEqual({ rules: [] })
}, 120_000)
