import type { Client } from '@holdfast/client'
import type { PreviewRow } from '@holdfast/protocol'
import { useCallback, useEffect, useState } from 'react'
import { answerOf } from '../shared/ask-server.ts'

/** So often a preview is looked at while it starts, and while it stands, in milliseconds. */
const STARTING_MS = 1_000
const STANDING_MS = 4_000

/** The preview of a conversation's place; undefined until it is known, null where there is none. */
export function usePreviewRow(
  client: Client,
  place: { readonly conversationId: string; readonly workspaceId: string },
) {
  const { conversationId, workspaceId } = place
  const [row, setRow] = useState<PreviewRow | null | undefined>(undefined)
  const [problem, setProblem] = useState<string | null>(null)
  const look = useCallback(async () => {
    const answer = await answerOf(client.listPreviews())
    setProblem(answer.problem)
    if (answer.value === null) return
    const own = answer.value.filter((one) => one.conversationId === conversationId)
    const ofPlace = answer.value.filter((one) => one.conversationId === null && one.workspaceId === workspaceId)
    const next = [...own, ...ofPlace].toSorted((one, other) => rank(one) - rank(other))[0] ?? null
    setRow((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
  }, [client, conversationId, workspaceId])
  const isMoving = row?.state === 'starting'
  useEffect(() => {
    void look()
    const timer = setInterval(() => document.hidden || void look(), isMoving ? STARTING_MS : STANDING_MS)
    return () => clearInterval(timer)
  }, [look, isMoving])
  return { row, problem, look }
}

const RANKS: readonly PreviewRow['state'][] = ['ready', 'starting', 'crashed', 'stopped']

function rank({ state }: PreviewRow): number {
  return RANKS.indexOf(state)
}
