/** How long is waited for agents, in milliseconds, and how much of them is held. Nobody sets these. */
export const AGENT_LIMITS = {
  /** From the start of the program to its first session. */
  startMs: 45_000,
  /** A prompt that was stopped may come to its own end; then the program is replaced. [AGENT1] */
  drainMs: 5_000,
  /** Between TERM and KILL. */
  graceMs: 1_000,
  /** A conversation that asks nothing for so long gives its program back. */
  idleMs: 600_000,
  /** So many programs wait for the next message; of more, the one that has waited longest is ended. [AGENT64] */
  idlePrograms: 5,
  /** A longer line is skipped. */
  lineBytes: 8_388_608,
  /** Of what the program prints for people, so much of its end is kept. */
  stderrChars: 4_000,
  /** Updates that are held for a session whose answer has not come yet. */
  earlyUpdates: 1_000,
  /** Calls that all wait or have ended are handed on after so long without another. */
  settledMs: 50,
  /** A call that works and is not asked about within so long runs without a question. */
  unaskedMs: 400,
  /** How long one that is told as still to begin, with its input, waits for a question. */
  unaskedPendingMs: 3_000,
  /** How long the input of one may take to be written. */
  unwrittenMs: 30_000,
  /** Characters of a conversation that are told to a session that has not heard it. */
  historyChars: 200_000,
  /** Characters of one call's result in it. */
  historyResultChars: 2_000,
  /** Pictures and files of it that go along with it. */
  historyAttachments: 8,
} as const
