import type { Limits } from './inherited-limits';

/**
 * Ties a command to this process: when this process dies, in any way, the command's whole group is killed, and, if it has a mark
 * (`processes/orphans.ts`), every process with that mark, or its limit, outside of the group. Without this a command would outlive a `kill
 * -9` of its worker, and the retry would run at the same time.
 *
 * A watcher in the command's group reads from a pipe that only this process holds open; the pipe's end means this process's end. The
 * watcher is detached (two forks), and holds none of the command's own streams. The process that looks for the mark must not have it, and
 * must not die with the group, so the watcher becomes another process for that, in a session of its own; without `setsid` only the group is
 * killed.
 *
 * The command itself waits for a line on a pipe of its own, so that all this can be prepared ahead of time.
 */
const LIFELINE_FD = 3;
export const GO_FD = 4;

/** A process may start another between two looks. */
const LOOKS = Array.from({ length: 20 }, (_, n) => n + 1).join(' ');

/** `$1`: the group. `$2`: the mark. `$3`: the limit of locks, or nothing. It may not contain a single quote. */
const KILL_ALL = `kill -KILL "-$1"
for look in ${LOOKS}; do
  found=$(grep -lsF -e "$2" /proc/[0-9]*/environ; [ -n "$3" ] && grep -ls -e "^Max file locks .* $3 " /proc/[0-9]*/limits)
  [ -n "$found" ] || exit 0
  for file in $found; do
    pid=\${file#/proc/}
    kill -KILL "\${pid%%/*}"
  done
done`;

/**
 * `$1`: the mark, or nothing. `$2`: the limit of locks. The system's programs come first: the command's own path may lead to others of the
 * same names.
 */
const WATCH = `read -r _ <&${LIFELINE_FD}
PATH="/usr/bin:/bin\${PATH:+:$PATH}"
[ -n "$1" ] && command -v setsid && exec env -i PATH="$PATH" setsid sh -c '${KILL_ALL}' sh "$$" "$1" "$2"
kill -KILL 0`;

/**
 * `$1` and `$2` as above, `$3`: the limit of memory. The process that looks for limits must not have them. Shells name the limit of locks
 * differently.
 */
const WATCH_THEN_RUN = `( ( ${WATCH} ) </dev/null >/dev/null 2>&1 ${GO_FD}<&- & )
[ -n "$2" ] && { ulimit -w "$2" || ulimit -x "$2"; } 2>/dev/null
[ -n "$3" ] && ulimit -m "$3" 2>/dev/null
shift 3
read -r _ <&${GO_FD} || exit 1
exec "$@" ${LIFELINE_FD}<&- ${GO_FD}<&-`;

/**
 * The command line that runs `argv` on a lifeline, once a line has come on `GO_FD`. A missing program ends with exit code 127, as in a
 * shell.
 *
 * @param mark an entry in the environment of everything it starts, as `NAME=value`
 */
export function endWithParent(argv: readonly string[], mark = '', { locks, memory }: Limits = UNLIMITED): [file: string, args: string[]] {
  return ['/bin/sh', ['-c', WATCH_THEN_RUN, 'sh', mark, locks, memory, ...argv]];
}

const UNLIMITED: Limits = { locks: '', memory: '' };
