/** The path of a program that the full run installs. @throws when it was not handed on. */
export function testTool(variable: 'HOLDFAST_BWRAP' | 'HOLDFAST_RIPGREP' | 'HOLDFAST_SLIRP4NETNS'): string {
  const program = process.env[variable]
  if (program === undefined) throw new Error(`${variable} names no program. Run \`npm test\`, or set it by hand.`)
  return program
}
