/**
 * Seeds of worlds in which planted bugs are found that the first world does not show. The quick count plays such a world
 * first, and looks through all worlds from the first one on when it shows nothing any more; the full count only does that.
 */
export const FOUND_IN: Readonly<Record<string, number>> = {
  'forgets in a restart which commands were carried out': 2,
  'keeps nothing of what streams': 2,
  'tries again after the first content': 4,
  'leaves calls running whose run has ended': 40,
  'remembers a yes for other arguments': 19,
  'lets anybody answer': 4,
  'counts silence by the wall clock': 17,
  'never looks for leases that ran out': 46,
  'tells nobody of an answer on the canvas': 41,
  'draws for a call that has ended': 90,
  'lets the agent answer its own question': 28,
  'loses the summary that was made': 15,
  'keeps other words than the summary has': 15,
  'summarises a part of an exchange': 14,
  'comes back and does not ask what it still has': 8,
  'drains, and keeps what it has': 3,
  'takes others for gone by its own clock': 15,
  'keeps what comes of a step that has ended': 1004,
}
