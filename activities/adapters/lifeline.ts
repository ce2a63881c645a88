/**
 * Ties a command to this process: when this process dies, however it dies, the command's whole group is killed. Without it
 * a command would outlive a `kill -9` of its worker, and the retry would run beside it.
 *
 * A watcher in the command's group reads from a pipe that only this process holds open; its end is this process's end. The
 * watcher is nobody's child of note (two forks), and holds none of the command's own streams.
 */
export const LIFELINE_FD = 3;

const WATCH_THEN_RUN = `( ( read -r _ <&${LIFELINE_FD}; kill -KILL 0 ) </dev/null >/dev/null 2>&1 & )
exec ${LIFELINE_FD}<&-
exec "$@"`;

/** The command line that runs `argv` on a lifeline. A program that is not there ends with exit code 127, as in a shell. */
export function onLifeline(argv: readonly string[]): [file: string, args: string[]] {
  return ['/bin/sh', ['-c', WATCH_THEN_RUN, 'sh', ...argv]];
}
