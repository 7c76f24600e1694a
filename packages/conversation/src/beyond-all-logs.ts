/** A `seq` that no log reaches: a page before it ends at the head, and an append that expects it is never made. */
export const BEYOND_ALL_LOGS = 2_147_483_647
