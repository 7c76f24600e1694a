/**
 * Raised when a frame changes its meaning. A client of another version is told to reload. [SYNC5]
 */
export const PROTOCOL_VERSION = 1
