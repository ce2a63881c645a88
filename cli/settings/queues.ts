import { posix } from 'node:path';
import { defined } from '../../plan/defined';
import { MERGE_STRATEGIES, MOST_BATCH, MOST_SPECULATE, type QueueSettings, TEST_FORMATS } from '../../plan/queue/queue-settings';
import { branchProblem } from '../../plan/text/ref-name';
import type { QueueRule } from '../../worker/queues/queue-rules';
import { duration, named, oneOf, type Reader, record, refuse, refuseKey, text, texts, whole } from './fields';

const MOST_TESTS = 1_000_000;

/**
 * `queues: {NAME: {repo, branch, setup, copy, test, timeout, batch, speculate, strategy, min_tests, format, restricted}}`; `repo` may be
 * relative to the file.
 */
export const queues: Reader<QueueRule[]> = (value, name, problems) => {
  const rules = named(queue)(value, name, problems) ?? {};
  const seen = new Map<string, string>();
  for (const [key, rule] of Object.entries(rules)) {
    const at = `${name}.${key}`;
    const id = JSON.stringify([rule.repo, rule.branch]);
    const other = seen.get(id);
    if (other !== undefined) refuseKey(problems, at, `"${at}" is for the same repository and branch as "${other}"`, 'keep one of them');
    seen.set(id, at);
  }
  return Object.values(rules);
};

const queue: Reader<QueueRule> = (value, name, problems) => {
  const read = QUEUE(value, name, problems);
  if (!read) return undefined;
  const { repo, branch, timeout: timeoutMs, min_tests: count, format, ...rest } = read;
  const has = (key: string): boolean => Object.hasOwn(value as object, key);
  if (!has('repo')) refuseKey(problems, name, `"${name}" lacks "repo"`, 'name a folder, or the URL of a remote');
  const needs = (key: string, other: string, hint?: string): void => {
    if (!has(other)) refuse(problems, `${name}.${key}`, `"${name}.${key}" needs "${other}"`, hint);
  };
  if (count !== undefined) needs('min_tests', 'format', `say how the test prints its results: ${TEST_FORMATS.join(', ')}`);
  if (count !== undefined) needs('min_tests', 'test');
  if (format !== undefined) needs('format', 'min_tests');
  const minTests: QueueSettings['minTests'] = count !== undefined && format !== undefined ? { count, format } : undefined;
  const settings = { ...rest, ...defined({ timeoutMs, minTests }) };
  return repo === undefined ? undefined : { repo, ...defined({ branch }), settings };
};

/** Paths within a checkout, as people write them: `./.env`, `node_modules/`. */
const pathsWithin: Reader<string[]> = (value, name, problems) => {
  const paths = texts(value, name, problems)?.map((path) => posix.normalize(path).replace(/(?<=.)\/$/, ''));
  for (const path of paths ?? []) {
    if (path === '.' || path === '..' || path.startsWith('../') || posix.isAbsolute(path))
      refuse(problems, name, `"${name}" names ${JSON.stringify(path)}, which is not a file or folder within the checkout`);
  }
  return paths;
};

const branchName: Reader<string> = (value, name, problems) => {
  const branch = text(value, name, problems);
  const problem = branch === undefined ? undefined : branchProblem(branch);
  if (!problem) return branch;
  refuse(problems, name, `"${name}": ${problem.message}`, problem.hint);
  return undefined;
};

const QUEUE = record({
  repo: text,
  branch: branchName,
  setup: texts,
  copy: pathsWithin,
  test: text,
  timeout: duration('a duration of a second at least, such as 30m', 1000),
  batch: whole(1, MOST_BATCH),
  speculate: whole(1, MOST_SPECULATE),
  strategy: oneOf(MERGE_STRATEGIES),
  min_tests: whole(1, MOST_TESTS),
  format: oneOf(TEST_FORMATS),
  restricted: texts,
});
