/**
 * Ties a command to this process: when this process dies, however it dies, the command's whole group is killed. Without it
 * a command would outlive a `kill -9` of its worker, and the retry would run beside it.
 *
 * A watcher in the command's group reads from a pipe that only this process holds open; its end is this process's end. The
 * watcher is nobody's child of note (two forks), and holds none of the command's own streams.
 *
 * The command itself waits for a line on a pipe of its own, so that all this can be brought about ahead of time.
 */
const LIFELINE_FD = 3;
export const GO_FD = 4;

const WATCH_THEN_RUN = `( ( read -r _ <&${LIFELINE_FD}; kill -KILL 0 ) </dev/null >/dev/null 2>&1 ${GO_FD}<&- & )
read -r _ <&${GO_FD} || exit 1
exec "$@" ${LIFELINE_FD}<&- ${GO_FD}<&-`;

/**
 * The command line that runs `argv` on a lifeline, once a line has come on `GO_FD`. A program that is not there ends with exit
 * code 127, as in a shell.
 */
export function onLifeline(argv: readonly string[]): [file: string, args: string[]] {
  return ['/bin/sh', ['-c', WATCH_THEN_RUN, 'sh', ...argv]];
}
