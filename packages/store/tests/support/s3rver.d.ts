/** The part of https://github.com/jamhall/s3rver that tests use; it comes without types. */
declare module 's3rver' {
  interface Options {
    readonly address: string
    readonly port: number
    readonly silent: boolean
    readonly directory: string
    readonly configureBuckets: readonly { readonly name: string }[]
  }

  class S3rver {
    constructor(options: Options)
    run(): Promise<{ readonly address: string; readonly port: number }>
    close(): Promise<void>
  }

  // biome-ignore lint/style/noDefaultExport: it is what that package exports
  export default S3rver
}
