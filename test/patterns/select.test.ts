import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEVELS, readTaskFacts, SELECT_ROWS, select, TASK_TYPES, type TaskFacts } from '../../kinds/coordinate/rules/select';

/** The patterns that a task needs, and tasks that are not valid (docs/patterns.md, `select`). */
const TASK: TaskFacts = { taskType: 'fix', complexity: 'low', risk: 'low', teamSize: 3, hasExpert: false };
const patternsOf = (facts: Partial<TaskFacts>) => select({ ...TASK, ...facts }).map(({ pattern }) => pattern);

test.each<[string, Partial<TaskFacts>, string[]]>([
  ['a small fix', {}, ['CP-1', 'CP-10']],
  ['high risk is voted on', { risk: 'high' }, ['CP-1', 'CP-4', 'CP-10']],
  ['medium risk is not', { risk: 'medium' }, ['CP-1', 'CP-10']],
  ['a large feature comes in increments', { taskType: 'feature', complexity: 'high' }, ['CP-1', 'CP-6', 'CP-10']],
  ['a smaller one does not', { taskType: 'feature', complexity: 'medium' }, ['CP-1', 'CP-10']],
  ['nor does a large refactoring', { taskType: 'refactor', complexity: 'high' }, ['CP-1', 'CP-10']],
  ['a review goes back until it passes', { taskType: 'review' }, ['CP-1', 'CP-2', 'CP-10']],
  ['so do tests', { taskType: 'test' }, ['CP-1', 'CP-2', 'CP-10']],
  ['an expert is asked', { hasExpert: true, complexity: 'medium' }, ['CP-1', 'CP-8', 'CP-10']],
  ['but not for what is simple', { hasExpert: true }, ['CP-1', 'CP-10']],
  [
    'all that applies at once',
    { taskType: 'feature', complexity: 'high', risk: 'high', hasExpert: true },
    ['CP-1', 'CP-4', 'CP-6', 'CP-8', 'CP-10'],
  ],
])('%s', (_, facts, patterns) => {
  expect(patternsOf(facts)).toEqual(patterns);
});

test('for all words: what the source of the patterns selects, each with a reason', () => {
  let tried = 0;
  for (const taskType of TASK_TYPES)
    for (const complexity of LEVELS)
      for (const risk of LEVELS)
        for (const hasExpert of [true, false]) {
          const naive = ['CP-1'];
          if (risk === 'high') naive.push('CP-4');
          if (complexity === 'high' && taskType === 'feature') naive.push('CP-6');
          if (taskType === 'review' || taskType === 'test') naive.push('CP-2');
          if (hasExpert && complexity !== 'low') naive.push('CP-8');
          naive.push('CP-10');
          const written = { task_type: taskType, complexity, risk, team_size: 4, has_expert: hasExpert };
          expect(readTaskFacts(written)).toEqual({ facts: { taskType, complexity, risk, teamSize: 4, hasExpert } });
          const selected = select({ taskType, complexity, risk, teamSize: 4, hasExpert });
          expect(selected.map(({ pattern }) => pattern)).toEqual(naive);
          expect(selected.every(({ why }) => why.length > 0)).toBe(true);
          tried += 1;
        }
  expect(tried).toBe(TASK_TYPES.length * 3 * 3 * 2);
});

describe('what is written', () => {
  const WRITTEN = { task_type: 'feature', complexity: 'high', risk: 'low', team_size: 4, has_expert: true };

  test('words are read in upper and lower case', () => {
    expect(readTaskFacts({ ...WRITTEN, complexity: 'High' })).toMatchObject({ facts: { complexity: 'high' } });
  });

  test.each([
    ['an unknown word', { risk: 'extreme' }, { kind: 'unknown-word', key: 'risk', word: 'extreme', words: LEVELS }],
    ['an unknown type of task', { task_type: 'epic' }, { kind: 'unknown-word', key: 'task_type', word: 'epic', words: TASK_TYPES }],
    ['an empty word', { complexity: '' }, { kind: 'unknown-word', key: 'complexity', word: '' }],
    ['a number for a word', { complexity: 3 }, { kind: 'wrong-type', key: 'complexity' }],
    ['a word for a number', { team_size: 'four' }, { kind: 'wrong-type', key: 'team_size' }],
    ['a team of nobody', { team_size: 0 }, { kind: 'wrong-type', key: 'team_size' }],
    ['half an agent', { team_size: 1.5 }, { kind: 'wrong-type', key: 'team_size' }],
    ['a word for yes', { has_expert: 'yes' }, { kind: 'wrong-type', key: 'has_expert' }],
    ['nothing', { has_expert: null }, { kind: 'missing', key: 'has_expert' }],
    ['an unknown key', { urgency: 'high' }, { kind: 'unknown-key', key: 'urgency' }],
  ])('%s is a problem that is named, and nothing is selected', (_, keys, problem) => {
    expect(readTaskFacts({ ...WRITTEN, ...keys })).toEqual({ problems: [expect.objectContaining(problem)] });
  });

  test.each([[null], ['feature'], [[]], [{}]])('all that is missing is named: %j', (given) => {
    expect(readTaskFacts(given)).toMatchObject({ problems: Array.from({ length: 5 }, () => ({ kind: 'missing' })) });
  });

  test('all problems are named at once', () => {
    expect(readTaskFacts({ ...WRITTEN, risk: 'x', team_size: -1, speed: 1 })).toMatchObject({
      problems: [{ kind: 'unknown-key' }, { kind: 'unknown-word' }, { kind: 'wrong-type' }],
    });
  });
});

/** `UPDATE=1 npx jest test/patterns/select` rewrites it. */
test('docs/patterns.md has the rows', () => {
  const at = join(__dirname, '../../docs/patterns.md');
  const page = readFileSync(at, 'utf8');
  const nameOf = (pattern: string) => new RegExp(`\\| \\[([^|\\]]+)\\]\\([^|]+\\), ${pattern} \\|`).exec(page)?.[1]?.replaceAll('`', '');
  const rows = SELECT_ROWS.map(({ pattern, when, why }) => `| ${pattern} | ${nameOf(pattern)} | ${when} | ${why} |`);
  const table = ['| | pattern | when | why |', '|---|---|---|---|', ...rows].join('\n');
  const [, before = '', after = ''] = /^([\s\S]*<!-- part: select -->\n)[\s\S]*?(<!-- end -->[\s\S]*)$/.exec(page) ?? [];
  expect(before).not.toBe('');
  if (process.env['UPDATE'] !== undefined) writeFileSync(at, `${before}${table}\n${after}`);
  else expect(page).toBe(`${before}${table}\n${after}`);
});
