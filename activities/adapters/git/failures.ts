import { ThermidorFailure } from '../../../plan/run/failure';
import { REPOSITORY_PROBLEMS, type RepositoryProblem } from '../../../plan/run/repository-problem';
import { field, type Json } from '../../../plan/text/json';
import { ending } from '../../../plan/text/shortened';

/** The failure of a problem: its message ends in the hint. */
export function repositoryFailure(problem: RepositoryProblem, message: string, details: Record<string, Json> = {}): ThermidorFailure {
  return new ThermidorFailure(REPOSITORY_PROBLEMS[problem].code, withHint(problem, message), { problem, ...details });
}

export function withHint(problem: RepositoryProblem, message: string): string {
  return `${message}; ${REPOSITORY_PROBLEMS[problem].hint}`;
}

export function problemOf(error: unknown): string | undefined {
  if (!(error instanceof ThermidorFailure)) return undefined;
  const problem = field(error.details, 'problem');
  return typeof problem === 'string' ? problem : undefined;
}

/**
 * Git's messages (in the locale C) when it has failed: all of these have the same exit code. The first match counts. Failures that are
 * retried until a network is back come last: git also uses their words if a program that it has started is gone.
 */
const SAYINGS: readonly [RegExp, RepositoryProblem][] = [
  [/No space left on device|Disk quota exceeded|disk full/i, 'disk-full'],
  [/detected dubious ownership/, 'foreign-owner'],
  [/Host key verification failed/, 'unknown-host'],
  [
    /Authentication failed|could not read (Username|Password)|Permission denied \((?!os)|terminal prompts disabled|HTTP (code|response code) =? ?40[13]|returned error: 40[13]/,
    'unauthorised',
  ],
  [
    /SSL certificate problem|certificate verification failed|certificate verify (failed|locations)|CAfile|SSL: no alternative certificate/,
    'untrusted',
  ],
  [/Unable to create '.*\.lock': File exists|unable to lock|[Cc]ould not lock|\.lock': File exists/, 'locked'],
  [
    /initialization for subprocess '.*' failed|external filter '.*' failed|(clean|smudge) filter '.*' failed|cannot run .*: No such file|[Uu]nable to find remote helper|^(?!remote: ).*: (command )?not found$/m,
    'program-missing',
  ],
  [
    /not a git repository|does not appear to be a git repository|repository '.*' (not found|does not exist)|returned error: 4(04|10)/,
    'not-a-repository',
  ],
  [
    /object file .* is empty|(loose|packed) object .* is corrupt|bad object|unable to read (tree|[0-9a-f]{40})|[Cc]ould not (read|parse)( object| commit)? '?[0-9a-f]{40}|reference is not a tree|missing (blob|necessary objects)|did not send all necessary objects|\.pack is (far )?too short|index file (corrupt|smaller)|bad (index|signature)|possible repository corruption/,
    'corrupt',
  ],
  [/pre-receive hook declined|hook declined|\[remote rejected\]|\[rejected\]|exceeds maximum allowed size/, 'push-refused'],
  [/URL rejected|[Pp]rotocol .* (not supported|disabled)|URL using bad\/illegal format|Port number/, 'invalid-url'],
  [
    /Could not resolve (host|proxy)|Failed to connect|Connection (refused|timed out|reset|closed)|Operation (timed out|too slow)|unable to access '[a-z]+:\/\/|[Cc]ould not connect|Temporary failure in name resolution|hung up unexpectedly|early EOF|No route to host|RPC failed/,
    'unreachable',
  ],
];

/** Git ends itself by these: it would again. */
const CRASHES: readonly string[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'] satisfies NodeJS.Signals[];

/**
 * @param what the git operation, such as `git push`
 * @param isLocal no remote is involved: a lost connection is that of a program such as a filter
 * @param exit without an exit code a signal ended it, which may not be known
 */
export function gitFailed(
  what: string,
  exit: { code: number | null; signal?: string | null },
  stderr: string,
  { isLocal = false } = {},
): ThermidorFailure {
  const { code: exitCode, signal } = exit;
  if (exitCode === 127) return repositoryFailure('git-missing', 'git does not run: it is not installed');
  const said = stderr.trim();
  const read = SAYINGS.find(([saying]) => saying.test(said))?.[1] ?? (wasKilled(exit) ? 'killed' : 'failed');
  const problem = read === 'unreachable' && isLocal ? 'program-missing' : read;
  const how = exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${exitCode}`;
  const last = said.split('\n').slice(-3).join('\n');
  return repositoryFailure(problem, `${what} ${how}${last === '' ? '' : `: ${last}`}`, { exitCode, stderr: lastLines(said) });
}

const TOLD_CHARACTERS = 4096;

/** Whole lines: nobody masks half a secret. */
function lastLines(said: string): string {
  return said.length <= TOLD_CHARACTERS ? said : ending(said, TOLD_CHARACTERS).replace(/^[^\n]*\n?/, '');
}

function wasKilled({ code, signal }: { code: number | null; signal?: string | null }): boolean {
  return code === null && !CRASHES.includes(signal ?? '');
}
