/** By what leases hold: one replica alone, or two, renew each of theirs; or there are three that beat. [SCALE1] */
export type LeasesBy = 'by-renewal' | 'by-beats'
