import { START_WORKSPACE } from '@holdfast/protocol'
import { describe, expect, it } from 'vitest'
import { worksThere } from '../src/workspaces/works-there.ts'

const NOW = 10_000_000
const ROW = {
  archived: false,
  state: 'idle',
  updatedAt: NOW - 60_000,
  workspaceId: 'workspace_1',
  worktreeId: null,
} as const
const asked = { workspaceId: 'workspace_1', now: NOW }

describe('where a conversation begins to work', () => {
  it('[WS37] a conversation works in a folder while it runs, waits, or was written in within half an hour', () => {
    expect(worksThere(ROW, asked)).toBe(true)
    expect(worksThere({ ...ROW, updatedAt: 0 }, asked)).toBe(false)
    for (const state of ['running', 'waiting-for-permission', 'waiting-for-answer'] as const)
      expect(worksThere({ ...ROW, updatedAt: 0, state }, asked)).toBe(true)
  })

  it('[WS37] one in a worktree, in another folder or in the archive is in nobody’s way', () => {
    expect(worksThere({ ...ROW, worktreeId: 'worktree_1' }, asked)).toBe(false)
    expect(worksThere({ ...ROW, workspaceId: 'workspace_2' }, asked)).toBe(false)
    expect(worksThere({ ...ROW, archived: true }, asked)).toBe(false)
  })

  it('[WS37] the folder of the start is the one that is not named', () => {
    expect(worksThere({ ...ROW, workspaceId: null }, { workspaceId: START_WORKSPACE, now: NOW })).toBe(true)
    expect(worksThere({ ...ROW, workspaceId: START_WORKSPACE }, { workspaceId: null, now: NOW })).toBe(true)
  })
})
