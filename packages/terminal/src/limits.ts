/** How many terminals there may be, and how large. Each line of the screen costs 12 bytes a column. */
export const TERMINAL_LIMITS = {
  perConversation: 4,
  perServer: 16,
  mostColumns: 400,
  mostRows: 200,
  scrollbackLines: 10_000,
} as const
