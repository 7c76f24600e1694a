import type { Client } from '@holdfast/client'
import type { PreviewRow } from '@holdfast/protocol'
import { useCallback, useEffect, useState } from 'react'
import { answerOf } from '../shared/ask-server.ts'

/** So often previews are looked at while one starts, and while all stand, in milliseconds. */
const STARTING_MS = 1_000
const STANDING_MS = 4_000

/** The previews of a conversation's place, those that show something first; null until they are known. */
export function usePreviewRows(client: Client, conversationId: string) {
  const [rows, setRows] = useState<readonly PreviewRow[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const look = useCallback(async () => {
    const answer = await answerOf(client.listPreviews(conversationId))
    setProblem(answer.problem)
    if (answer.value === null) return
    const next = answer.value.toSorted((one, other) => rank(one) - rank(other))
    setRows((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
  }, [client, conversationId])
  const isMoving = rows?.some(({ state }) => state === 'starting') ?? false
  useEffect(() => {
    void look()
    const timer = setInterval(() => document.hidden || void look(), isMoving ? STARTING_MS : STANDING_MS)
    return () => clearInterval(timer)
  }, [look, isMoving])
  return { rows, problem, look }
}

const RANKS: readonly PreviewRow['state'][] = ['ready', 'starting', 'crashed', 'stopped']

function rank({ state }: PreviewRow): number {
  return RANKS.indexOf(state)
}
