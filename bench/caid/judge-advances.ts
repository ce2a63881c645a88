import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Advance, Evidence, TestRun, Violation } from './evidence';
import { git, gitSays, lines } from './git-command';

/** A shell command is a test: exit code 0 is green. */
export function testBy(command: string): TestRun {
  return (folder) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
    return status === 0 ? undefined : `${stdout}${stderr}`.slice(-2000);
  };
}

/** Every value of the branch since its base, the first one first. */
export function advancesOf({ repository, branch, base, units }: Evidence): Advance[] {
  const values = lines(git(repository, 'reflog', 'show', '--format=%H', `refs/heads/${branch}`)).reverse();
  const since = values.slice(values.indexOf(base) + 1);
  return since.map((commit, i) => {
    const from = since[i - 1] ?? base;
    const changed = new Set(git(repository, 'diff', '--name-only', '-z', from, commit).split('\0'));
    return { commit, from, tasks: units.filter(({ files }) => files.some((path) => changed.has(path))).map(({ id }) => id) };
  });
}

/** Checks that the branch only went forward, and was green at every value. */
export function judgeAdvances({ repository, test, base, branch }: Evidence, advances: readonly Advance[]): Violation[] {
  const values = lines(git(repository, 'reflog', 'show', '--format=%H', `refs/heads/${branch}`));
  const unknown: Violation[] = values.includes(base) ? [] : [{ kind: 'rewound', message: `${branch} was never at its base ${base}` }];
  const rewound = advances.filter(({ commit, from }) => !gitSays(repository, 'merge-base', '--is-ancestor', from, commit));
  const red = advances.flatMap(({ commit }) => {
    const output = tested(repository, commit, test);
    return output === undefined ? [] : [{ kind: 'red', message: `the tests fail at ${commit}:\n${output}` } as const];
  });
  return [
    ...unknown,
    ...rewound.map(({ commit, from }): Violation => ({ kind: 'rewound', message: `${from} is not in ${commit}` })),
    ...red,
  ];
}

function tested(repository: string, commit: string, test: TestRun): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'thermidor-judge-'));
  try {
    git(folder, 'clone', '-q', '--no-checkout', '--shared', repository, 'tree');
    const tree = join(folder, 'tree');
    git(tree, 'checkout', '-q', '--detach', commit);
    return test(tree);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
