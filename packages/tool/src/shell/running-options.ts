import type { ShellWord } from './shell-command.ts'

/** How a program runs code, or another program, or writes where one does not expect it, by its arguments. */
interface RunningOption {
  /** Options by their spelling, alone, joined with `=`, cut short, or short ones among others. */
  readonly options: readonly string[]
  /** Words that do it wherever they stand; `-` means a program that runs what it reads. */
  readonly words: readonly string[]
  /** Text that does it anywhere in an argument. */
  readonly within: RegExp | null
}

function running(options: string, words: string, within: RegExp | null): RunningOption {
  return { options: namesIn(options), words: namesIn(words), within }
}

function namesIn(text: string): string[] {
  return text.split(/\s+/).filter((name) => name !== '')
}

const INLINE_CODE = running('-c -e -E -p -r -i -m -x --eval --print --require --import --loader', '-', null)
const AWK = running('-f -i -l -E -e --file --include --load --exec --source', '', /system|getline|\||>|@|\\x|\\0/)
const MAKE = running('-f -C -I --file --makefile --eval --directory --include-dir', '', /=/)
const NETWORK_SHELL = running('-S -o -F -D -b', '', null)
const PIP = running('-t --target --prefix --python --cache-dir', 'install config uninstall', null)
const FIND_FD = running('-x -X --exec --exec-batch', '', null)

/** Programs whose every argument may be something to run, or a place to write to. */
const ALL_ARGUMENTS: ReadonlySet<string> = new Set(
  namesIn(`ssh less more vi vim nvim view ed ex emacs nano osascript docker podman nerdctl ffmpeg tee script watch
  parallel flock entr strace ltrace gdb lldb perf valgrind chroot unshare nsenter systemd-run fakeroot proot
  start-stop-daemon tmux screen expect socat nc ncat netcat telnet xdg-open open run-parts ld.so
  ld-linux-x86-64.so.2 fish zsh ksh mksh csh tcsh pwsh powershell cmd at batch crontab mount install dd gcore dbus-send busctl`),
)

const RUNNING: ReadonlyMap<string, RunningOption> = new Map([
  [
    'git',
    running(
      `--config --upload-pack --receive-pack --exec -x -O --open-files-in-pager --ext-diff --textconv --template
      --extcmd --output --tool`,
      `bisect submodule filter-branch config difftool mergetool send-email daemon instaweb web--browse hook
      fast-import credential remote-ext remote-fd cvsserver shell p4 svn upload-pack receive-pack upload-archive
      maintenance help init clone`,
      /^[A-Za-z0-9+.-]+::/,
    ),
  ],
  ['rg', running('--pre --hostname-bin -z --search-zip', '', null)],
  ['ag', running('--pager', '', null)],
  ['ack', running('--pager --ackrc', '', null)],
  ['fd', FIND_FD],
  ['fdfind', FIND_FD],
  [
    'tar',
    running(
      `-I -F --to-command --use-compress-program --checkpoint-action --info-script --new-volume-script
      --rsh-command --rmt-command`,
      '',
      /^-?[A-Za-z]*[IF]/,
    ),
  ],
  ['zip', running('-T -TT --unzip-command', '', null)],
  ['rsync', running('-e -M --rsh --rsync-path --remote-option --write-batch --log-file', '', null)],
  ['scp', NETWORK_SHELL],
  ['sftp', NETWORK_SHELL],
  [
    'curl',
    running(
      `-K -o -O -D -c -J -T -d -F -x --config --output --remote-name --output-dir --dump-header --cookie-jar --trace
      --trace-ascii --engine --libcurl --stderr --upload-file --data --form --unix-socket --proxy`,
      '',
      /^(?:--data|--form|file:)/i,
    ),
  ],
  [
    'wget',
    running(
      `-e -O -o -a -P --use-askpass --execute --config --post-file --body-file --rejected-log --warc-file
      --save-cookies --output-document --output-file --append-output --directory-prefix`,
      '',
      null,
    ),
  ],
  ['man', running('-P -H -C -l --pager --html --config-file', '', null)],
  ['sort', running('-o -T --output --compress-program --temporary-directory', '', null)],
  ['split', running('--filter', '', null)],
  ['uniq', running('', '', /^[^-+]/)],
  ['tree', running('-o -R', '', null)],
  ['date', running('-s -f --set --file', '', null)],
  ['make', MAKE],
  ['gmake', MAKE],
  ['ninja', running('-f -C', '', null)],
  [
    'npm',
    running(
      '--script-shell --prefix -C -c --node-options --userconfig --globalconfig --shell --call',
      'config set exec x explore edit publish unpublish link token login init create',
      null,
    ),
  ],
  ['pnpm', running('--script-shell --dir -C -c --config', 'config set exec dlx publish create', null)],
  ['yarn', running('--cwd --script-shell', 'config set exec dlx publish create', null)],
  ['npx', running('-c -p --call --shell --package --node-options --script-shell', '', null)],
  ['node', INLINE_CODE],
  ['nodejs', INLINE_CODE],
  ['tsx', INLINE_CODE],
  ['deno', running('--config --import-map --preload', 'eval repl -', null)],
  ['bun', running('-e -p -r -c --eval --print --preload --config', 'x exec repl -', null)],
  ['python', INLINE_CODE],
  ['python2', INLINE_CODE],
  ['python3', INLINE_CODE],
  ['pypy3', INLINE_CODE],
  ['perl', running('-d', '-', /^-[a-zA-Z]*[eEnpiMmIx]/)],
  ['ruby', running('', '-', /^-[a-zA-Z]*[enprixI]/)],
  ['php', running('-r -B -R -E -F -d -c -a -z --run', '-', null)],
  ['lua', running('-e -l -i', '-', null)],
  ['Rscript', running('-e', '-', null)],
  ['awk', AWK],
  ['gawk', AWK],
  ['mawk', AWK],
  ['nawk', AWK],
  ['kubectl', running('--kubeconfig', 'exec run debug cp attach config edit apply create port-forward', null)],
  [
    'go',
    running(
      '-C -exec -toolexec -ldflags -gccgoflags -overlay -modfile -vettool',
      'run generate env tool install',
      /^--/,
    ),
  ],
  ['cargo', running('--config -Z --manifest-path -C', 'run install publish', null)],
  ['gcc', running('-B -o -wrapper -specs', '', /^@|^--?(?:fplugin|specs|wrapper|Wl|Xlinker)/)],
  ['cc', running('-B -o -wrapper -specs', '', /^@|^--?(?:fplugin|specs|wrapper|Wl|Xlinker)/)],
  ['tcpdump', running('-z -w', '', null)],
  ['sqlite3', running('', '-', /^\s*\.|-cmd|-init|load_extension|writefile|edit\s*\(/i)],
  ['psql', running('-f -o -L -c --command --file', '', /\\|\bprogram\b/i)],
  ['mysql', running('-e --execute --init-command --pager --tee --defaults-file', '', /\\!|system/)],
  ['openssl', running('', '', /^-(?:engine|provider|config|out|writerand)|^(?:enc|s_client|s_server)$/)],
  ['file', running('-C -m --compile --magic-file', '', null)],
  ['jq', running('-L --library-path', '', /\benv\b|\$ENV|import|include/)],
  ['pip', PIP],
  ['pip3', PIP],
])

/** Options of git before its own command that change nothing of what it runs. */
const HARMLESS_GIT_OPTIONS: ReadonlySet<string> = new Set(['--no-pager', '-P', '--no-optional-locks', '--version'])

/** A `sed` script that only prints, deletes or replaces: no `e`, no `w`, no `r`. */
const PLAIN_SED =
  /^(?:\d+|\$|\/[^/\\]*\/)?(?:,(?:\d+|\$|\/[^/\\]*\/))?(?:[pd]|s\/(?:[^/\\\n]|\\[^n\n])*\/(?:[^/\\\n]|\\[^\n])*\/[gpI0-9]*)$/
const SED_FLAGS = /^-[nEr]+$/

/**
 * The places of the arguments by which the program runs or writes something else than its name says. Such an
 * argument is matched by an allow rule that spells it, never by a wildcard. [PERM2]
 */
export function runningArguments(name: string, argumentsOf: readonly ShellWord[]): readonly number[] {
  if (name === 'sed' || name === 'gsed') return unclearSed(argumentsOf)
  if (ALL_ARGUMENTS.has(name)) return [...argumentsOf.keys()]
  const entry = RUNNING.get(name)
  if (!entry) return []
  const own = name === 'git' ? gitOptionCount(argumentsOf) : 0
  return [...argumentsOf.entries()]
    .filter(([index, { text }]) => (index < own && !HARMLESS_GIT_OPTIONS.has(text)) || isRunning(text, entry))
    .map(([index]) => index)
}

/** Whether the program, without a script among its arguments, runs what it reads from its input. */
export function runsItsInput(name: string, argumentsOf: readonly ShellWord[]): boolean {
  return (
    RUNNING.get(name)?.words.includes('-') === true &&
    argumentsOf.every(({ text }) => text === '-' || /^-[a-zA-Z]$/.test(text))
  )
}

/** How many words stand before git's own command. */
export function gitOptionCount(argumentsOf: readonly ShellWord[]): number {
  let count = 0
  while (count < argumentsOf.length) {
    const text = argumentsOf[count]?.text ?? ''
    if (!text.startsWith('-')) break
    count += ['-c', '-C', '--git-dir', '--work-tree', '--namespace', '--config-env', '--exec-path'].includes(text)
      ? 2
      : 1
  }
  return Math.min(count, argumentsOf.length)
}

function isRunning(text: string, { options, words, within }: RunningOption): boolean {
  if (words.includes(text) || within?.test(text)) return true
  return options.some((option) => {
    if (text === option || text.startsWith(`${option}=`)) return true
    if (option.startsWith('--')) return isCutShort(text, option)
    return option.length === 2 && /^-[A-Za-z0-9]/.test(text) && text.includes(option.slice(1))
  })
}

/** Long options may be cut short as long as they stay clear: `--ex` is `--exec`. */
function isCutShort(text: string, option: string): boolean {
  const name = text.split('=')[0] ?? ''
  return name.length >= 4 && option.startsWith(name)
}

function unclearSed(argumentsOf: readonly ShellWord[]): readonly number[] {
  const script = argumentsOf.findIndex(({ text }) => !SED_FLAGS.test(text))
  return [...argumentsOf.entries()]
    .filter(([index, { text }]) => {
      if (index === script) return !PLAIN_SED.test(text)
      return index > script && text.startsWith('-')
    })
    .map(([index]) => index)
}
