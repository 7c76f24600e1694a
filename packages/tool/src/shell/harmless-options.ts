import { keyOf } from './program-names.ts'

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((name) => name !== ''))
}

const NONE = names('')
const PACKAGES = names(
  `-s --silent -q --quiet --if-present -w --workspace --workspaces -ws --json --long --parseable -g --global -D
  --save-dev --no-save --no-audit --no-fund --prefer-offline --offline --legacy-peer-deps --loglevel --dry-run --all
  --depth --omit --include --production -v --version -h --help -y --yes --no --no-install --`,
)
const ZIPPED = names(
  '-1 -9 -c -d -f -k -l -n -r -t -v --keep --decompress --stdout --test --list --verbose --fast --best',
)

/**
 * Options that run nothing, and write and read nothing that their program's name does not say. A program that stands
 * here is covered with no other options; one that stands nowhere, with none. [PERM2]
 */
const HARMLESS_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['npm', PACKAGES],
  [
    'curl',
    names(
      `-s -S -L -f -v -i -I -k -g -G -4 -6 -m -A -e -H -X -r -z -w -0 --silent --show-error --location --fail --verbose
      --include --head --insecure --get --max-time --connect-timeout --user-agent --referer --header --request --retry
      --range --compressed --write-out --http1.1 --http2 --http3 --ipv4 --ipv6 --fail-with-body --no-progress-meter
      --retry-delay --max-redirs --no-buffer -N --version --help --url`,
    ),
  ],
  [
    'wget',
    names(
      `-q -v -nv -S -t -T -4 -6 -c -N --quiet --verbose --no-verbose --tries --timeout --spider --server-response
      --user-agent --header --https-only --no-check-certificate --version --help`,
    ),
  ],
  ['xxd', names('-a -b -c -e -g -i -l -n -o -p -ps -s -u -C -E --')],
  [
    'sqlite3',
    names(
      `-json --json -csv --csv -column --column -header --header -headers -noheader -line -list -markdown -table -box
      -html -readonly --readonly -batch -bail -echo -version --version -help --help`,
    ),
  ],
  [
    'diff',
    names(
      `-u -U -c -r -q -w -b -B -i -N -y -a -s --unified --brief --recursive --color --ignore-all-space --side-by-side
    --new-file --stat --text --no-index --width -W -x --exclude --minimal -p --context -E -Z --`,
    ),
  ],
  ['diff3', names('-m -e -E -3 -x -X -A -i -a -T -L --merge --text --label')],
  ['cmp', names('-s -l -b -n -i --silent --verbose --bytes')],
  ['comm', names('-1 -2 -3 -12 -13 -23 --total')],
  ['join', names('-1 -2 -a -e -i -j -o -t -v')],
  ['paste', names('-d -s')],
  ['column', names('-t -s -n -x -c')],
  ['fold', names('-w -s -b')],
  ['rev', NONE],
  ['ps', names('-e -f -a -A -x -u -p -o -l -F -ef -eo -ax --sort --no-headers --forest --pid --ppid')],
  ['id', names('-u -g -G -n -r')],
  ['which', names('-a')],
  ['type', names('-a -t -p')],
  ['uname', names('-a -s -r -m -n -v -o -p')],
  ['free', names('-h -m -g -b -k -t -w')],
  ['mkdir', names('-p -v -m --parents --verbose --mode')],
  ['rmdir', names('-p -v --parents')],
  ['touch', names('-a -c -m -r -d -t')],
  ['cp', names('-r -R -a -f -p -u -v -n -i -T -L -P -d --recursive --archive --verbose --no-clobber --parents')],
  ['mv', names('-f -n -v -u -i -T --verbose --no-clobber --force')],
  ['rm', names('-r -R -f -v -i -d --recursive --force --verbose')],
  ['ln', names('-s -f -n -v -r -T --symbolic --force --relative')],
  ['chmod', names('-R -v -c --recursive')],
  ['gzip', ZIPPED],
  ['gunzip', ZIPPED],
  ['bzip2', ZIPPED],
  ['xz', ZIPPED],
  ['zcat', ZIPPED],
  ['unzip', names('-l -o -n -q -v -t -p -j')],
  [
    'tsc',
    names(
      `--noEmit --strict --watch -w --pretty --skipLibCheck --listFiles --traceResolution --diagnostics --extendedDiagnostics
    --version -v --help -h --target --module --jsx --lib --incremental --noUnusedLocals --noUnusedParameters`,
    ),
  ],
  [
    'vitest',
    names(
      `--run --watch -w -u --update --coverage -t --testNamePattern --bail --silent --retry --changed --reporter=dot
    --reporter=verbose --reporter=default --no-coverage --passWithNoTests --project --version -v --help -h`,
    ),
  ],
  [
    'jest',
    names(
      `--watch --watchAll --coverage -t --testNamePattern -i --runInBand --bail -b -u --updateSnapshot --silent --verbose
    --passWithNoTests --onlyChanged -o --maxWorkers -w --ci --version --help -h --testPathPattern`,
    ),
  ],
  [
    'pytest',
    names(
      `-q -v -vv -x -s -k -l -ra -rA -n --lf --ff --sw --last-failed --failed-first --maxfail --tb --durations --collect-only
    --co --no-header --quiet --verbose --exitfirst --strict-markers --version --help -h`,
    ),
  ],
  ['eslint', names('--fix --quiet --ext --max-warnings --cache --no-cache --version -v --help -h --fix-dry-run')],
  ['prettier', names('--check -c --write -w --list-different -l --version --help -h')],
  ['biome', names('--write --fix --unsafe --changed --staged --version --help -h')],
  ['oxlint', names('--type-aware --deny-warnings --fix --quiet --version --help')],
  ['ruff', names('--fix --check --diff --quiet -q --select --ignore --watch --version --help')],
  ['black', names('--check --diff -q --quiet -v --version --help')],
  ['mypy', names('--strict --pretty --no-error-summary --show-error-codes --ignore-missing-imports --version --help')],
  ['rustc', names('--version -V --help -h --explain')],
  ['gh', names('--limit -L --json --state -s --label -l --author -A --repo -R --comments --help')],
])

/** The listed harmless options of a program; undefined where there are none of its own. */
export function harmlessOptionsOf(name: string): ReadonlySet<string> | undefined {
  const key = keyOf(name, HARMLESS_OPTIONS)
  return key === null ? undefined : HARMLESS_OPTIONS.get(key)
}

/** Whether the word is one of the options, with a value behind `=`, a short one with a number, or short ones joined. */
export function isListed(text: string, options: ReadonlySet<string>): boolean {
  const [name = ''] = text.split('=')
  if (options.has(text) || (text.includes('=') && name.startsWith('--') && options.has(name))) return true
  const letters = /^-([A-Za-z0-9]*[A-Za-z]|\d)\d*$/.exec(text)?.[1]
  return letters !== undefined && [...letters].every((letter) => options.has(`-${letter}`))
}
