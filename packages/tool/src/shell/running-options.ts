import { harmlessOptionsOf, isListed } from './harmless-options.ts'
import { isInput, isInterpreter, scriptOf } from './interpreters.ts'
import { entryOf, keyOf } from './program-names.ts'
import type { ShellWord } from './shell-command.ts'
import { FREE_ARGUMENTS, HARMLESS_BUILTINS, SHELLS, WRAPPERS } from './shell-wrappers.ts'

/** How a program runs code, or another program, or writes where one does not expect it, by its arguments. */
interface RunningOption {
  /**
   * Options by their spelling, alone, joined with `=`, cut short to any length, behind one to three dashes, or short
   * ones among others.
   */
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

const INLINE_CODE = running(
  `-c -e -E -p -r -i -m -x -C --eval --print --require --import --loader --experimental-loader --test-reporter --env-file
  --redirect-warnings --inspect --run --openssl-config --icu-data-dir --snapshot-blob --build-snapshot --diagnostic-dir
  --experimental-config-file --experimental-default-config-file --test-global-setup --localstorage-file`,
  '- inspect debug',
  null,
)
const PYTHON = running('-c -E -i -m -x -W -X', '-', null)
const AWK = running(
  `-f -i -l -E -e -d -D -o -p -W --file --include --load --exec --source --dump-variables --debug --pretty-print
  --profile`,
  '',
  /system|getline|\||>|@|\\x|\\0/,
)
const MAKE = running('-f -C -I -E --file --makefile --eval --directory --include-dir', '', /=/)
const COMPILER = running(
  '-B -o -wrapper -specs --specs -fplugin',
  '',
  /^@|^--?(?:fplugin|specs|wrapper|Wl|Xlinker)|^-(?:o|MF|aux-info|dump|save-temps|fdump|fprofile|fdiagnostics)/,
)
const NETWORK_SHELL = running('-S -o -F -D -b', '', null)
const PIP = running('-t --target --prefix --python --cache-dir', 'install config uninstall', null)
const FIND_FD = running('-x -X --exec --exec-batch', '', null)

/** Programs whose every argument may be something to run, or a place to write to. */
const ALL_ARGUMENTS: ReadonlySet<string> = new Set(
  namesIn(`ssh less more vi vim nvim view ed ex emacs nano osascript docker podman nerdctl ffmpeg tee script
  parallel entr strace ltrace gdb lldb perf valgrind unshare nsenter systemd-run fakeroot proot
  start-stop-daemon tmux screen expect socat nc ncat netcat telnet xdg-open open run-parts ld.so
  ld-linux-x86-64.so.2 fish zsh ksh mksh csh tcsh pwsh powershell cmd at batch crontab mount install dd gcore dbus-send busctl`),
)

const RUNNING: ReadonlyMap<string, RunningOption> = new Map([
  [
    'git',
    running(
      `--config --upload-pack --receive-pack --exec -x -O --open-files-in-pager --ext-diff --textconv --template
      --extcmd --output --tool --output-directory --index-output`,
      `bundle merge-index for-each-repo mailsplit mailinfo pack-objects index-pack bugreport diagnose checkout-index
      quiltimport citool gui http-fetch http-push send-pack fetch-pack bisect submodule filter-branch config difftool mergetool send-email daemon instaweb web--browse hook
      fast-import credential remote-ext remote-fd cvsserver shell p4 svn upload-pack receive-pack upload-archive
      maintenance help init clone`,
      /(?:^|=)[A-Za-z0-9+.-]+::/,
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
      `-I -F -g --index-file --listed-incremental --volno-file --to-command --use-compress-program --checkpoint-action --info-script --new-volume-script
      --rsh-command --rmt-command`,
      '',
      /^-?[A-Za-z]*[IF]|^[^-/=][^/=]*:/,
    ),
  ],
  ['zip', running('-T -TT --unzip-command', '', null)],
  ['rsync', running('-e -M --rsh --rsync-path --remote-option --write-batch --log-file', '', null)],
  ['scp', NETWORK_SHELL],
  ['sftp', NETWORK_SHELL],
  ['curl', running('', '', /^@|^file:|%output|^--data|^--form/i)],
  ['wget', running('', '', null)],
  ['man', running('-P -H -C -l --pager --html --config-file', '', null)],
  ['sort', running('-o -T --output --compress-program --temporary-directory', '', null)],
  ['split', running('--filter', '', null)],
  ['diff3', running('--diff-program', '', null)],
  ['sdiff', running('-o --output --diff-program', '', null)],
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
  ['deno', running('--config --import-map --preload', 'eval repl -', /^(?:data|https?|npm|jsr):/)],
  ['bun', running('-e -p -r -c --eval --print --preload --config', 'x exec repl -', /^data:/)],
  ['python', PYTHON],
  ['pypy', PYTHON],
  ['perl', running('-d', '-', /^-(?!-)[\s\S]*[eEnpiMmIxdFa]/)],
  ['ruby', running('--require', '-', /^-(?!-)[\s\S]*[enprixIFSCX]/)],
  [
    'php',
    running(
      `-r -B -R -E -F -d -c -a -z -S -t -f -g --run --process-begin --process-code --process-end --process-file --define
      --php-ini --zend-extension`,
      '-',
      null,
    ),
  ],
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
      '-C -exec -toolexec -ldflags -gccgoflags -overlay -modfile -vettool -pkgdir',
      'run generate env tool install',
      /^--|^-o$|^-o=/,
    ),
  ],
  [
    'cargo',
    running('--config -Z --manifest-path -C --target-dir --out-dir --artifact-dir', 'run install publish', null),
  ],
  ['gcc', COMPILER],
  ['cc', COMPILER],
  ['g++', COMPILER],
  ['c++', COMPILER],
  ['clang', COMPILER],
  ['clang++', COMPILER],
  ['tcpdump', running('-z -w', '', null)],
  [
    'sqlite3',
    running(
      '',
      '-',
      /(?:^|\n)[^\S\n]*\.|-cmd|-init|load_extension|writefile|readfile|attach|vacuum[\s\S]*into|edit\s*\(/i,
    ),
  ],
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

/** Single letters whose meaning depends on git's own command. */
const WRITING_GIT_COMMANDS: ReadonlySet<string> = new Set(['archive', 'format-patch', 'bugreport', 'diagnose'])
/** Words that are whole options of a program, though another one that runs something begins with them. */
const WHOLE_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', new Set(['--text'])],
  ['node', new Set(['--test'])],
  ['cargo', new Set(['--target'])],
  ['go', new Set(['-mod', '-vet'])],
])
/** Programs that write or read by what is flagged, and run nothing by it. */
const RUNS_NOTHING: ReadonlySet<string> = new Set(
  namesIn(`curl wget sort uniq tree date tee dd install mount nc ncat netcat telnet jq file xxd less more view gcc cc g++
  c++ clang clang++ openssl tcpdump pip ffmpeg xdg-open open socat kubectl docker podman nerdctl`),
)
/** Words that keep, fetch or name what runs later, and run nothing themselves. */
const KEEPING_WORDS = namesIn(`clone init help config maintenance credential bundle submodule set publish unpublish link
  token login create edit install uninstall update`)

/**
 * The places of the arguments by which the program runs or writes something else than its name says. Such an
 * argument is matched by an allow rule that spells it, never by a wildcard. [PERM2]
 */
export function runningArguments(name: string, argumentsOf: readonly ShellWord[]): readonly number[] {
  if (name === 'sed' || name === 'gsed') return unclearSed(argumentsOf)
  if (name === 'xxd') return outputOfXxd(argumentsOf)
  if (keyOf(name, ALL_ARGUMENTS) !== null) return [...argumentsOf.keys()]
  const script = scriptOf(name, argumentsOf)
  const unknown = script?.type === 'unknown-option' ? [script.index] : []
  const entry = entryOf(name, RUNNING)
  if (!entry) return unknown
  const key = keyOf(name, RUNNING) ?? name
  const own = name === 'git' ? gitOptionCount(argumentsOf) : 0
  const writes = name === 'git' && WRITING_GIT_COMMANDS.has(argumentsOf[own]?.text ?? '')
  return [...argumentsOf.entries()]
    .filter(
      ([index, { text }]) =>
        unknown.includes(index) ||
        (index < own && !HARMLESS_GIT_OPTIONS.has(text)) ||
        (writes && /^-[A-Za-z]*o/.test(text)) ||
        (!WHOLE_OPTIONS.get(key)?.has(text) && isRunning(text, entry)),
    )
    .map(([index]) => index)
}

/** Whether the program runs what it reads from its input. */
export function runsItsInput(name: string, argumentsOf: readonly ShellWord[]): boolean {
  const script = scriptOf(name, argumentsOf)
  if (script?.type === 'input') return true
  const texts = argumentsOf.map(({ text }) => text)
  switch (name) {
    case 'deno':
    case 'bun':
      return texts.some(isInput)
    case 'sqlite3':
      return (
        !texts.some((text) => /^-?-(?:version|help)$/.test(text)) &&
        texts.filter((text) => !text.startsWith('-')).length < 2
      )
    case 'psql':
      return !texts.some((text) => /^-[A-Za-z]*[cflVL]|^--(?:c|f|l|ver|help)/.test(text))
    case 'mysql':
    case 'mariadb':
      return !texts.some((text) => /^-[A-Za-z]*[eV]|^--(?:exe|ver|help)/.test(text))
    default:
      return false
  }
}

/** Whether what is flagged among the arguments is code, or a program that is run. [PERM2] */
export function carriesCode(name: string, argumentsOf: readonly ShellWord[], flagged: readonly number[]): boolean {
  if (flagged.length === 0 || keyOf(name, RUNS_NOTHING) !== null) return false
  if (name === 'sed' || name === 'gsed' || keyOf(name, ALL_ARGUMENTS) !== null) return true
  if (keyOf(name, RUNNING) === null && !isInterpreter(name)) return false
  if (name === 'git' && argumentsOf.some(({ text }) => text === 'foreach')) return true
  return flagged.some((index) => !KEEPING_WORDS.includes(argumentsOf[index]?.text ?? ''))
}

/**
 * Whether a wildcard may stand for an option of the program: one that is listed as harmless, or any that the program's
 * own table does not flag. Of a program that nobody knows, none. [PERM2]
 */
export function takesOption(name: string, text: string): boolean {
  const listed = harmlessOptionsOf(name)
  if (listed) return isListed(text, listed)
  return KNOWN_TABLES.some((table) => keyOf(name, table) !== null) || isInterpreter(name)
}

/** Programs whose options are judged by functions of their own. */
const READ_BY_HAND: ReadonlySet<string> = new Set(['sed', 'gsed', 'find'])
const KNOWN_TABLES = [FREE_ARGUMENTS, RUNNING, ALL_ARGUMENTS, SHELLS, HARMLESS_BUILTINS, WRAPPERS, READ_BY_HAND]

/** `xxd in out` writes its second file. */
function outputOfXxd(argumentsOf: readonly ShellWord[]): readonly number[] {
  const files: number[] = []
  for (let index = 0; index < argumentsOf.length; index++) {
    const text = argumentsOf[index]?.text ?? ''
    if (/^-[lscgon]$/.test(text)) index++
    else if (!text.startsWith('-')) files.push(index)
  }
  return files.slice(1)
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
    if (option.length > 2) return isCutShort(text, option)
    return option.length === 2 && /^-[A-Za-z0-9]/.test(text) && text.includes(option.slice(1))
  })
}

/**
 * Long options may be cut short as long as they stay clear, and some programs take them behind one dash or three:
 * `--ex` and `-exec` are `--exec`. One letter behind one dash is a short option.
 */
function isCutShort(text: string, option: string): boolean {
  const [, dashes = '', name = ''] = /^(-{1,3})([^-=][^=]*)/.exec(text) ?? []
  return name.length > (dashes.length === 1 ? 1 : 0) && option.replace(/^-+/, '').startsWith(name)
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
