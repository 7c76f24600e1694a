import { type JudgedCommand, readingsOf } from '../shell/judge-line.ts'
import type { ShellWord } from '../shell/shell-command.ts'
import { placePath } from './workspace-path.ts'

/** Where the commands of a line work. */
export interface LinePlace {
  readonly workspaceRoot: string | null
  /** Whether the line goes to another folder first, which may be outside the workspace. */
  readonly movesAway: boolean
  /** Whether a program of the line sends over the network. */
  readonly sendsOut: boolean
}

interface Facts extends LinePlace {
  readonly name: string
  readonly args: readonly ShellWord[]
  readonly texts: readonly string[]
  /** The targets of its redirections. */
  readonly targets: readonly string[]
}

/** One row of the table: what is destructive, and how it is told. */
interface DestructiveCommand {
  readonly id: string
  readonly about: string
  readonly meets: (facts: Facts) => boolean
}

const DEVICE = /^\/dev\/(?!(?:null|zero|full|stdin|stdout|stderr|tty|u?random)$)/
const NETWORK_DEVICE = /^\/dev\/(?:tcp|udp)\//
const SECRET =
  /(?:^|[/@=:])(?:\.ssh|\.aws|\.gnupg|\.kube|\.netrc|\.npmrc|\.pgpass|id_[a-z0-9]+|shadow|credentials|\.env)(?:[/.:]|$)/
const STARTUP =
  /(?:^|\/)(?:\.(?:bash|zsh|k?sh)rc|\.(?:bash_|zsh_?|z)?(?:profile|login|logout|env)|\.profile|authorized_keys|\.gitconfig|config\.fish|crontab|sudoers|\.npmrc|\.yarnrc)$|(?:^|\/)\.git\/(?:hooks|config)|(?:^|\/)\.ssh\//

/** Commands that always ask, in every mode but where they are denied. Each row is one kind of harm. */
export const DESTRUCTIVE_COMMANDS: readonly DestructiveCommand[] = [
  {
    id: 'remove-widely',
    about: 'rm of folders that are a root, a home, outside the workspace, or not known before it runs',
    meets: ({ name, args, ...place }) =>
      isOneOf(name, 'rm rmdir unlink srm trash') && args.some((word) => isWide(word, place)),
  },
  {
    id: 'find-and-delete',
    about: 'find -delete',
    meets: ({ name, texts }) => name === 'find' && texts.includes('-delete'),
  },
  {
    id: 'overwrite-device',
    about: 'dd, shred, wipefs and the like, and every command with a device as its target',
    meets: ({ name, texts }) =>
      isOneOf(name, 'shred wipefs blkdiscard badblocks hdparm sgdisk sfdisk fdisk cfdisk parted gdisk nvme') ||
      (name === 'dd' && texts.some((text) => text.startsWith('of='))) ||
      (isOneOf(name, 'cp mv tee cat truncate install ln') && texts.some((text) => DEVICE.test(text))),
  },
  {
    id: 'make-filesystem',
    about: 'mkfs, swap, volumes and pools',
    meets: ({ name, texts }) =>
      /^(?:mkfs|mke2fs|mkswap|newfs)/.test(name) ||
      isOneOf(name, 'lvremove vgremove pvremove cryptsetup swapoff umount losetup mdadm') ||
      (isOneOf(name, 'zpool zfs btrfs') && has(texts, 'destroy labelclear delete')),
  },
  {
    id: 'rights-widely',
    about: 'chmod, chown and the like: recursive outside the workspace, or open to everybody',
    meets: ({ name, args, texts, ...place }) =>
      isOneOf(name, 'chmod chown chgrp chattr setfacl chcon') &&
      (texts.some((text) => /^[0-7]?[0-7][0-7][2367]$|^[augo]*\+[rwx]*s|^[ao]*\+[rwx]*w/.test(text)) ||
        (isRecursive(texts) && args.slice(1).some((word) => isWide(word, place)))),
  },
  {
    id: 'move-widely',
    about: 'mv of a root, a home or anything outside the workspace, and mv into nothing',
    meets: ({ name, args, texts, ...place }) =>
      name === 'mv' && (texts.includes('/dev/null') || args.slice(0, -1).some((word) => isWide(word, place))),
  },
  {
    id: 'git-lose-history',
    about: 'git push --force, reset --hard, clean -f, branch -D, and others that drop commits or changes',
    meets: ({ name, texts }) => name === 'git' && losesHistory(texts),
  },
  {
    id: 'power',
    about: 'shutdown, reboot and the like',
    meets: ({ name, texts }) =>
      isOneOf(name, 'shutdown reboot halt poweroff telinit kexec') ||
      (name === 'init' && has(texts, '0 1 6')) ||
      (name === 'systemctl' && has(texts, 'poweroff reboot halt kexec suspend hibernate emergency rescue isolate')),
  },
  {
    id: 'end-processes',
    about: 'ending every process, or processes by name',
    meets: ({ name, texts }) =>
      isOneOf(name, 'killall killall5 pkill skill') ||
      (name === 'kill' &&
        texts.some((text, index) => text === '1' || (index > 0 && /^-\d+$/.test(text)) || text === '-1')),
  },
  {
    id: 'services',
    about: 'stopping services, loading kernel modules, firewall rules, kernel settings',
    meets: ({ name, texts }) =>
      (isOneOf(name, 'systemctl service rc-service launchctl') &&
        has(texts, 'stop disable mask unload bootout remove')) ||
      isOneOf(name, 'insmod rmmod modprobe iptables ip6tables nft ufw firewall-cmd setenforce') ||
      (name === 'sysctl' && texts.some((text) => text === '-w' || text.includes('='))),
  },
  {
    id: 'accounts',
    about: 'users, passwords and groups',
    meets: ({ name }) =>
      isOneOf(name, 'useradd userdel usermod groupdel groupmod passwd chpasswd visudo vipw chsh adduser deluser'),
  },
  {
    id: 'schedules',
    about: 'commands that run later: cron, at, units',
    meets: ({ name, texts }) => (name === 'crontab' && !texts.includes('-l')) || isOneOf(name, 'at batch systemd-run'),
  },
  {
    id: 'containers-and-clouds',
    about: 'deleting what runs elsewhere: containers, clusters, infrastructure, buckets',
    meets: ({ name, texts }) =>
      (isOneOf(name, 'docker podman nerdctl') && has(texts, 'rm rmi prune kill down --privileged')) ||
      (isOneOf(name, 'kubectl oc helm') && has(texts, 'delete drain uninstall rollback replace')) ||
      (isOneOf(name, 'terraform tofu pulumi cdk') && has(texts, 'destroy apply up deploy')) ||
      (isOneOf(name, 'aws gcloud az gsutil rclone s3cmd gh glab heroku fly doctl') &&
        texts.some((text) =>
          /^(?:rm|rb|delete|del|purge|remove|destroy|terminate)|-delete|^delete-|^terminate-/.test(text),
        )),
  },
  {
    id: 'databases',
    about: 'dropping and emptying databases',
    meets: ({ name, texts }) =>
      isOneOf(name, 'dropdb dropuser') ||
      (isOneOf(name, 'psql mysql mariadb sqlite3 mongosh mongo redis-cli duckdb') &&
        texts.some((text) => /\b(?:drop|truncate|delete|flushall|flushdb|dropdatabase)\b/i.test(text))),
  },
  {
    id: 'publish',
    about: 'publishing packages, which cannot be taken back',
    meets: ({ name, texts }) =>
      (isOneOf(name, 'npm pnpm yarn bun cargo gem poetry uv hatch lerna changeset') &&
        has(texts, 'publish unpublish yank deprecate push')) ||
      (name === 'twine' && has(texts, 'upload')),
  },
  {
    id: 'mirror-with-deletion',
    about: 'rsync --delete and the like',
    meets: ({ name, texts }) =>
      name === 'rsync' && texts.some((text) => text.startsWith('--del') || text === '--remove-source-files'),
  },
  {
    id: 'truncate',
    about: 'emptying files, by truncate or by history',
    meets: ({ name, args, ...place }) => name === 'truncate' && args.some((word) => isWide(word, place)),
  },
  {
    id: 'send-secrets',
    about: 'a network program in a line with the path of a secret',
    meets: ({ texts, targets, sendsOut }) => sendsOut && [...texts, ...targets].some((text) => SECRET.test(text)),
  },
  {
    id: 'change-startup',
    about: 'writing to what runs by itself: shell profiles, git hooks and settings that name programs, authorized keys',
    meets: ({ name, texts }) =>
      (isOneOf(name, 'tee cp mv ln install sed') && texts.some((text) => STARTUP.test(text))) ||
      (name === 'git' && setsProgram(texts)),
  },
]

/** Whether a redirection writes to a device, over the network, or to what runs by itself. */
export function isDestructiveTarget(text: string): boolean {
  return (
    DEVICE.test(text) ||
    NETWORK_DEVICE.test(text) ||
    STARTUP.test(text) ||
    /^\/(?:etc|proc|sys|boot|usr|bin|sbin|lib)(?:\/|$)/.test(text)
  )
}

/** The first row of the table that a command meets. */
export function destructionOf(command: JudgedCommand, place: LinePlace): DestructiveCommand | null {
  const { name } = command
  if (name === null) return null
  const targets = command.redirections.map(({ target }) => target?.text ?? '')
  const readings = readingsOf(command).map((words): Facts => {
    const args = words.slice(1)
    return { ...place, name, args, texts: args.map(({ text }) => text), targets }
  })
  return DESTRUCTIVE_COMMANDS.find(({ meets }) => readings.some(meets)) ?? null
}

/** Whether a program with its arguments sends over the network. */
export function sendsOut({ name }: JudgedCommand): boolean {
  return (
    name !== null && isOneOf(name, 'curl wget nc ncat netcat scp sftp rsync ssh ftp lftp socat http https xh telnet')
  )
}

/** Settings of git whose value is run. */
const PROGRAM_SETTING =
  /^(?:core\.(?:hookspath|fsmonitor|sshcommand|pager|editor|gitproxy|askpass)|(?:alias|filter|include|includeif|pager|difftool|mergetool|trailer|credential)\.|sequence\.editor|gpg\.|diff\..*(?:external|command|textconv)|merge\..*driver|interactive\.difffilter|init\.templatedir|remote\..*\.(?:uploadpack|receivepack|vcs)|.*\.(?:cmd|path|helper)$)/i

function setsProgram(texts: readonly string[]): boolean {
  const [command, ...rest] = texts
  return (
    command === 'config' &&
    !rest.some((text) => /^(?:--get|--list|-l$|get$|list$|--unset|unset$)/.test(text)) &&
    rest.some((text) => PROGRAM_SETTING.test(text))
  )
}

function isOneOf(name: string, names: string): boolean {
  return names.split(' ').includes(name)
}

function has(texts: readonly string[], names: string): boolean {
  const wanted = names.split(' ')
  return texts.some((text) => wanted.includes(text))
}

function isRecursive(texts: readonly string[]): boolean {
  return texts.some((text) => /^-[a-zA-Z]*[rR]/.test(text) || /^--rec/.test(text))
}

/** The folder of a repository, and what it holds but for locks that were left behind. */
const REPOSITORY = /(?:^|\/)\.git(?:\/(?!.*\.lock$)|$)/

/** Whether an argument is, or may become, more than something inside the workspace. */
function isWide(word: ShellWord, { workspaceRoot, movesAway }: LinePlace): boolean {
  const { kind, text, prefix } = word
  if (kind === 'dynamic' || /^--no-pres/.test(text)) return true
  if (text.startsWith('-') || text === '') return false
  if (movesAway || /^(?:~|\.{1,2}\/?$)/.test(text) || REPOSITORY.test(text)) return true
  if (kind === 'literal' && text.split('/').every((part) => part === '.' || part === '')) return true
  const known = kind === 'glob' ? prefix : text
  if (kind === 'glob' && !/[^./]/.test(known)) return true
  if (!text.startsWith('/') && !text.split('/').includes('..')) return false
  const place = placePath(known, workspaceRoot)
  return place.type !== 'inside' || place.path === ''
}

/** `git checkout HEAD src` writes over what is there; with an option that makes a branch, its second word is a start. */
function takesPathsFrom(texts: readonly string[]): boolean {
  return (
    texts.filter((text) => !text.startsWith('-')).length > 2 &&
    texts[0] === 'checkout' &&
    !texts.some((text) => /^-[a-zA-Z]*[bBt]$|^--(?:orphan|track|no-track)/.test(text))
  )
}

function losesHistory(texts: readonly string[]): boolean {
  const command = texts.find((text) => !text.startsWith('-')) ?? ''
  const letters = (wanted: RegExp) => texts.some((text) => wanted.test(text))
  switch (command) {
    case 'push':
      return letters(/^-[a-zA-Z]*[fd]|^--(?:f|mir|del|prune)|^[+:].|^--no-verify/)
    case 'reset':
      return letters(/^--(?:h|mer|k)/)
    case 'clean':
      return letters(/^-[a-zA-Z]*[fxX]|^--f/)
    case 'checkout':
    case 'restore':
    case 'switch':
      return letters(/^-[a-zA-Z]*f|^--(?:f|disc)|^(?:--|\.|:\/|\*)$/) || command === 'restore' || takesPathsFrom(texts)
    case 'rm':
      return letters(/^-[a-zA-Z]*r/) && letters(/^(?:[./]*|:\/?|\*)$/)
    case 'branch':
    case 'tag':
      return letters(/^-[a-zA-Z]*[dDMf]|^--(?:del|f)/)
    case 'stash':
      return texts.includes('drop') || texts.includes('clear')
    case 'reflog':
      return texts.includes('expire') || texts.includes('delete')
    case 'worktree':
      return texts.includes('remove')
    case 'remote':
      return has(texts, 'remove rm set-url prune')
    default:
      return isOneOf(command, 'filter-branch filter-repo update-ref gc prune replace')
  }
}
