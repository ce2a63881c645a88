import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PASSED_ON } from '../processes/process-environment';

/**
 * The environment of git. Invariants: 1. nothing of the host's git configuration, attributes, ignored files or `GIT_…` variables; 2. no
 * hook, editor, pager, signature, maintenance or file-system monitor runs, and nothing asks a person, whatever a repository's own
 * configuration says; 3. other protocols than `PROTOCOLS` are refused, even if a URL is rewritten to them.
 *
 * The rest of a repository's own configuration counts: its filters, merge drivers and credential helpers. Credentials for remotes are those
 * that need no dialog: keys in `~/.ssh` or an agent, `~/.netrc`, and those of `configFile`, such as a credential helper.
 */
export interface GitHost {
  /** The worker's environment. */
  environment: Readonly<Record<string, string | undefined>>;
  /**
   * A git configuration of Thermidor's own, in the place of the user's: `credential.helper`, `http.proxy`, `url.….insteadOf`,
   * `safe.directory`.
   */
  configFile?: string;
  /** Replaces `ssh`, with its options, in the format of `GIT_SSH_COMMAND`. */
  sshCommand?: string;
}

export const PROTOCOLS = ['file', 'http', 'https', 'ssh'] as const;

/** Ways to remotes, and credentials for them. */
const REMOTE_VARIABLES = [
  'SSH_AUTH_SOCK',
  'http_proxy',
  'https_proxy',
  'HTTPS_PROXY',
  'no_proxy',
  'NO_PROXY',
  'all_proxy',
  'ALL_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** Above every configuration file. */
const CONFIGURATION: Readonly<Record<string, string>> = {
  // This advice would precede the error, because grafts do not count here (`GIT_GRAFT_FILE`).
  'advice.graftFileDeprecated': 'false',
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.logAllRefUpdates': 'true',
  // Two processes that move refs of one repository wait for each other.
  'core.filesRefLockTimeout': '10000',
  'core.packedRefsTimeout': '10000',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'push.gpgSign': 'false',
  'log.showSignature': 'false',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'push.recurseSubmodules': 'no',
  'advice.detachedHead': 'false',
  // A transfer without progress for a minute is not a slow remote but a dead one.
  'http.lowSpeedLimit': '1',
  'http.lowSpeedTime': '60',
};

/**
 * Used if git-lfs is not installed, as in a container in which a checkout is mounted: the checkout's own configuration asks for its filter,
 * and git fails if its index is not fresh. Files stay pointers.
 */
const WITHOUT_LFS: Readonly<Record<string, string>> = {
  'filter.lfs.process': '',
  'filter.lfs.clean': '',
  'filter.lfs.smudge': '',
  'filter.lfs.required': 'false',
};

function hasLfs(path = ''): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, 'git-lfs')));
}

/** The environment without the means to reach a remote. */
export function localEnvironment({ environment, configFile }: GitHost): Record<string, string> {
  return {
    ...named(environment, PASSED_ON),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile ?? '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // Histories are read from the commits, without replacements that somebody in the worktree may have made.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
  };
}

/** The environment with settings that could start a program: configuration that forbids it, and programs that refuse. */
export function fullEnvironment(host: GitHost, { network }: { network: boolean }): Record<string, string> {
  const entries = Object.entries({ ...CONFIGURATION, ...(hasLfs(host.environment['PATH']) ? {} : WITHOUT_LFS) });
  return {
    ...localEnvironment(host),
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value],
      ]),
    ),
    // Used for logs of refs; commits have their own authors.
    GIT_AUTHOR_NAME: 'thermidor',
    GIT_AUTHOR_EMAIL: 'thermidor@localhost',
    GIT_COMMITTER_NAME: 'thermidor',
    GIT_COMMITTER_EMAIL: 'thermidor@localhost',
    GIT_EDITOR: 'false',
    GIT_SEQUENCE_EDITOR: 'false',
    GIT_PAGER: 'cat',
    GIT_MERGE_AUTOEDIT: 'no',
    GIT_ASKPASS: 'false',
    GIT_ALLOW_PROTOCOL: PROTOCOLS.join(':'),
    GIT_SSH_COMMAND: host.sshCommand ?? 'ssh -o BatchMode=yes -o ConnectTimeout=30 -o ServerAliveInterval=15 -o ServerAliveCountMax=4',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    ...(network ? named(host.environment, REMOTE_VARIABLES) : {}),
  };
}

function named(environment: GitHost['environment'], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
