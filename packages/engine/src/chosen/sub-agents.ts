import {
  addTotals,
  type EntryLog,
  entriesAfter,
  type Ledger,
  type LedgerTotals,
  MAX_PAGE_ENTRIES,
  noTotals,
} from '@holdfast/conversation'
import { type LogStore, readOverview } from '../log/log-states.ts'

/**
 * The conversations that calls of this one began and that are still there. One that names another's, as a fork does, leaves
 * them alone. [AGENT3]
 */
export async function* subAgentsOf(store: Pick<EntryLog, 'read'>, conversationId: string): AsyncGenerator<string> {
  for await (const { entries } of entriesAfter(store, { conversationId, after: 0, pageEntries: MAX_PAGE_ENTRIES })) {
    for (const entry of entries) {
      if (entry.type !== 'tool-call-started' || entry.childConversationId === undefined) continue
      if (await isSubAgentOf(store, conversationId, entry.childConversationId)) yield entry.childConversationId
    }
  }
}

/** Whether a conversation was begun by a call of another. */
async function isSubAgentOf(store: Pick<EntryLog, 'read'>, conversationId: string, childId: string): Promise<boolean> {
  const { entries } = await store.read({ conversationId: childId, after: 0, limit: 1 })
  const [first] = entries
  if (first?.type !== 'conversation-created' || first.origin.type !== 'sub-agent') return false
  return first.origin.conversationId === conversationId
}

/** What a sub-agent has cost. */
export interface SubAgentCost {
  readonly conversationId: string
  /** Null where it has none, or is not there any more. */
  readonly title: string | null
  /** With what its own sub-agents have cost. */
  readonly totals: LedgerTotals
  /** Whether its log is still here; of one that is not, what it had cost when it reported counts. */
  readonly isHere: boolean
}

/**
 * What each sub-agent of a conversation has cost by now, by its own log: it may have gone on after it reported. [COST12]
 *
 * @param ledger - that of the conversation.
 */
export async function subAgentCosts(
  store: LogStore,
  conversationId: string,
  { subAgents }: Pick<Ledger, 'subAgents'>,
): Promise<readonly SubAgentCost[]> {
  const costs: SubAgentCost[] = []
  for (const [childId, { settledTotals }] of Object.entries(subAgents)) {
    const { state } = await readOverview(store, childId)
    if (state.head === 0) {
      if (settledTotals !== null)
        costs.push({ conversationId: childId, title: null, totals: settledTotals, isHere: false })
    } else if (await isSubAgentOf(store, conversationId, childId)) {
      const totals = await totalsWithSubAgents(store, childId, state.ledger)
      costs.push({ conversationId: childId, title: state.title.text, totals, isHere: true })
    }
  }
  return costs
}

/** What a conversation has cost by its log, with all that its sub-agents have. */
export async function totalsWithSubAgents(
  store: LogStore,
  conversationId: string,
  ledger: Pick<Ledger, 'total' | 'subAgents'>,
): Promise<LedgerTotals> {
  return addTotals(ledger.total, sumOfCosts(await subAgentCosts(store, conversationId, ledger)))
}

/** What several sub-agents have cost together. */
export function sumOfCosts(costs: readonly SubAgentCost[]): LedgerTotals {
  return costs.reduce((sum, { totals }) => addTotals(sum, totals), noTotals)
}
