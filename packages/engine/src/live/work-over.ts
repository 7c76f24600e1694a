/**
 * Why a run ends or is cut off, for the signals of all runs: whoever hears one reads no more of it. A signal that is given no
 * reason makes one with a stack of its own, also when it has fired before.
 */
export const WORK_OVER: DOMException = new DOMException('The run is over', 'AbortError')
