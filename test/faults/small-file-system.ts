/** File systems of a test's own, in memory, in a mount namespace that ends with the command. */
import { spawnSync } from 'node:child_process'

const probe = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs x /mnt'])
export const noMounts = probe.status === 0 ? false : 'this system lets nobody mount a file system'

/** What stands before a command that runs with one of a size, such as `8m`, at a directory. */
export const inSmallFileSystem = (size: string, directory: string): [string, ...string[]] => [
  ...(['unshare', '-rm', 'sh', '-c'] as const),
  `mount -t tmpfs -o size=${size} logstrata "$0" && exec "$@"`,
  directory,
]
