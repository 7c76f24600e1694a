/** The wall clock of the program is five minutes ahead of that of all others. */
const AHEAD_MS = 300_000
const { now } = Date
Date.now = () => now() + AHEAD_MS
