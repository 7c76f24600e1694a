/**
 * Seeds of worlds in which planted bugs are found that the first world does not show. The quick count plays such a world
 * first, and looks through all worlds from the first one on when it shows nothing any more; the full count only does that.
 */
export const FOUND_IN: Readonly<Record<string, number>> = {
  'looks at no lease': 7,
  'reads from one entry too early': 2,
  'remembers a yes for other arguments': 7,
  'takes two answers to one request': 4,
  'lets anybody answer': 30,
  'takes a no for a yes': 4,
  'counts silence by the wall clock': 12,
  'never looks for leases that ran out': 24,
  'tells nobody of an answer on the canvas': 10,
  'draws for a call that has ended': 67,
  'lets the agent answer its own question': 20_033,
  'loses the summary that was made': 18,
  'keeps other words than the summary has': 18,
  'summarises a part of an exchange': 18,
}
