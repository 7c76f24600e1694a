/**
 * Seeds of worlds in which planted bugs are found that the first world does not show. The quick count plays such a world
 * first, which saves time and decides nothing: where it shows the bug no more, for a change has moved it, all worlds are
 * looked through from the first one on, as the full count always does.
 */
export const FOUND_IN: Readonly<Record<string, number>> = {
  'forgets in a restart which commands were carried out': 2,
  'keeps nothing of what streams': 2,
  'leaves calls running whose run has ended': 2,
  'remembers a yes for other arguments': 15,
  'counts silence by the wall clock': 17,
  'never looks for leases that ran out': 18,
  'tells nobody of an answer on the canvas': 41,
  'draws for a call that has ended': 2,
  'lets the agent answer its own question': 13,
  'loses the summary that was made': 25,
  'keeps other words than the summary has': 2,
  'summarises a part of an exchange': 25,
  'comes back and does not ask what it still has': 4,
  'drains, and keeps what it has': 6,
  'takes others for gone by its own clock': 7,
  'keeps what comes of a step that has ended': 1004,
  'remembers an epoch for ever that was right once': 3,
  'loses one of the drafts that were gathered': 3,
}
