import { posix } from 'node:path';
import { defined } from '../../plan/defined';
import { MERGE_STRATEGIES, MOST_BATCH, MOST_SPECULATE, type QueueSettings, TEST_FORMATS } from '../../plan/queue/queue-settings';
import { durationMs } from '../../plan/text/duration';
import { branchProblem } from '../../plan/text/ref-name';
import type { QueueRule } from '../../worker/queues/queue-rules';
import { mapping, oneOf, type Reader, refuse, refuseKey, settingFields, text, texts, whole } from './fields';

const KEYS = ['repo', 'branch', 'setup', 'copy', 'test', 'timeout', 'batch', 'speculate', 'strategy', 'min_tests', 'format', 'restricted'];
const MOST_TESTS = 1_000_000;

/** `queues: {NAME: {repo, branch, setup, copy, test, timeout, batch, speculate, strategy, min_tests, format, restricted}}`; `repo` may be relative to the file. */
export const queues: Reader<QueueRule[]> = (value, name, problems) => {
  const named = mapping(value, name, problems);
  if (!named) return undefined;
  const rules = Object.entries(named).flatMap(([key, value]) => {
    const at = `${name}.${key}`;
    const rule = queue(value, at, problems);
    return rule ? { at, rule } : [];
  });
  const seen = new Map<string, string>();
  for (const { at, rule } of rules) {
    const id = JSON.stringify([rule.repo, rule.branch]);
    const other = seen.get(id);
    if (other !== undefined) refuseKey(problems, at, `"${at}" is for the same repository and branch as "${other}"`, 'keep one of them');
    seen.set(id, at);
  }
  return rules.map(({ rule }) => rule);
};

const queue: Reader<QueueRule> = (value, name, problems) => {
  const fields = settingFields(value, name, KEYS, problems);
  if (!fields) return undefined;
  const [repo, branch] = [fields.take('repo', text), fields.take('branch', branchName)];
  const [test, timeoutMs] = [fields.take('test', text), fields.take('timeout', period)];
  const [batch, speculate] = [fields.take('batch', whole(1, MOST_BATCH)), fields.take('speculate', whole(1, MOST_SPECULATE))];
  const [setup, copy] = [fields.take('setup', texts), fields.take('copy', pathsWithin)];
  const [strategy, restricted] = [fields.take('strategy', oneOf(MERGE_STRATEGIES)), fields.take('restricted', texts)];
  const [count, format] = [fields.take('min_tests', whole(1, MOST_TESTS)), fields.take('format', oneOf(TEST_FORMATS))];
  if (!fields.has('repo')) refuseKey(problems, name, `"${name}" lacks "repo"`, 'name a folder, or the URL of a remote');
  if (count !== undefined && !fields.has('format')) {
    refuse(
      problems,
      `${name}.min_tests`,
      `"${name}.min_tests" needs "format"`,
      `say how the test prints its results: ${TEST_FORMATS.join(', ')}`,
    );
  }
  if (count !== undefined && !fields.has('test')) refuse(problems, `${name}.min_tests`, `"${name}.min_tests" needs "test"`);
  if (format !== undefined && !fields.has('min_tests')) refuse(problems, `${name}.format`, `"${name}.format" needs "min_tests"`);
  const minTests: QueueSettings['minTests'] = count !== undefined && format !== undefined ? { count, format } : undefined;
  const settings = defined({ setup, copy, test, timeoutMs, batch, speculate, strategy, minTests, restricted });
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

const period: Reader<number> = (value, name, problems) => {
  const ms = typeof value === 'string' ? durationMs(value) : undefined;
  if (ms !== undefined && ms >= 1000) return ms;
  refuse(problems, name, `"${name}" must be a duration of a second at least, such as 30m`);
  return undefined;
};
