/** What is done to a turn. */
export type Cut = 'stop' | 'kill'
