export interface RestoreOptions {
  readonly from: string
  readonly dataDir: string
  readonly force: boolean
}
export async function restoreSqliteStore(_: RestoreOptions): Promise<void> {}
