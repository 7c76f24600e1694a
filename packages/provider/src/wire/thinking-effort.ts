/** A budget for thinking in the words of providers that only know three. */
export function thinkingEffort(budgetTokens: number): 'low' | 'medium' | 'high' {
  if (budgetTokens <= 2_048) return 'low'
  return budgetTokens <= 8_192 ? 'medium' : 'high'
}
