/** Lets something happen and everything that follows from it at once; then looks whether all is right. */
export type Turn = (act: () => string | null) => Promise<boolean>
