import { filesNamed } from '../../kinds/increments/gates';
import {
  beginAttempt,
  currentIncrement,
  type Delivery,
  endAttempt,
  type FailedGate,
  isOverShare,
  keepFirst,
  newDelivery,
  progressOf,
  progressSignal,
  tasksLeft,
} from '../../kinds/increments/rules/delivery';
import { backToTurn, takeUpAgain } from '../../kinds/increments/rules/delivery-again';
import { divideIntoIncrements, layersOf, MOST_TASKS, type PlannedTask } from '../../kinds/increments/rules/increments';
import { outputOf } from '../../kinds/increments/rules/output';
import type { Json } from '../../plan/text/json';
import { chance } from '../caid/chance';
import { sweepCount } from '../support/sweep';

/** Tasks with their dependencies, as in `a b>a c>a,b`. */
function tasksOf(text: string): PlannedTask[] {
  return text.split(' ').map((task) => {
    const [id = '', after = ''] = task.split('>');
    return { id, depends_on: after === '' ? [] : after.split(',') };
  });
}

const shown = (layers: readonly PlannedTask[][]): string => layers.map((layer) => layer.map(({ id }) => id).join(' ')).join(' | ');

describe('the layers of a plan', () => {
  it.each([
    ['a', 'a'],
    ['a b c', 'a b c'],
    ['a b>a c>b', 'a | b | c'],
    ['c>b b>a a', 'a | b | c'],
    ['a b c>a d>a,b e>c', 'a b | c d | e'],
    ['a b>a,a', 'a | b'],
    ['z y x>z', 'z y | x'],
    ['a b>a c>a d>b,c e', 'a e | b c | d'],
  ])('CP-6 · workflow · an increment is what depends on earlier ones alone, in the order of the plan: %s', (text, expected) => {
    expect(shown(layersOf(tasksOf(text)))).toBe(expected);
  });

  it('CP-6 · workflow · layers of random plans are those of a naive model', () => {
    const others: number[] = [];
    for (let seed = 0; seed < sweepCount(1000, 10_000); seed++) {
      const below = chance(seed);
      const count = 1 + below(12);
      const ordered = Array.from({ length: count }, (_, i) => ({
        id: `t${i}`,
        depends_on: Array.from({ length: below(3) }, () => `t${below(Math.max(i, 1))}`).filter(() => i > 0),
      }));
      const tasks = ordered.map((task) => ({ task, at: below(1000) })).sort((a, b) => a.at - b.at);
      const plan = tasks.map(({ task }) => task);
      const known = new Map(plan.map((task) => [task.id, task]));
      const depth = (id: string): number => Math.max(0, ...(known.get(id)?.depends_on ?? []).map((other) => depth(other) + 1));
      const naive: PlannedTask[][] = [];
      for (const task of plan) naive[depth(task.id)] = [...(naive[depth(task.id)] ?? []), task];
      if (JSON.stringify(layersOf(plan)) !== JSON.stringify(naive)) others.push(seed);
    }
    expect(others).toEqual([]);
  });

  it.each<[string, string, Json]>([
    ['increments.plan', 'no tasks', []],
    ['increments.plan', 'no list', 'later'],
    ['increments.plan', 'nothing', null],
    ['increments.plan', 'a task that is no object', ['a']],
    ['increments.plan', 'a task without an id', [{ title: 'a' }]],
    ['increments.plan', 'an empty id', [{ id: ' ' }]],
    ['increments.plan', 'an id that is too long', [{ id: 'x'.repeat(201) }]],
    ['increments.plan', 'two tasks with one id', [{ id: 'a' }, { id: 'a' }]],
    ['increments.plan', 'a task that there is not', [{ id: 'a', depends_on: ['b'] }]],
    ['increments.plan', 'a dependency that is no id', [{ id: 'a', depends_on: [7] }]],
    ['increments.plan', 'too many', Array.from({ length: MOST_TASKS + 1 }, (_, i) => ({ id: `t${i}` }))],
    ['increments.cycle', 'a task that waits for itself', [{ id: 'a', depends_on: ['a'] }]],
    [
      'increments.cycle',
      'tasks that wait for each other',
      [{ id: 'x' }, { id: 'a', depends_on: ['x', 'b'] }, { id: 'b', depends_on: ['a'] }],
    ],
  ])('CP-6 · entry · what cannot be delivered is a failure of its own: %s, %s', (code, _what, plan) => {
    expect(() => divideIntoIncrements(plan)).toThrow(expect.objectContaining({ code }));
  });

  it('CP-6 · entry · a cycle is named, and nothing else', () => {
    const tasks = tasksOf('before>a a>c b>a c>b behind>b');
    expect(() => layersOf(tasks)).toThrow(/: (a → c → b → a|c → b → a → c|b → a → c → b)$/);
  });

  it('CP-6 · entry · a plan may be a document with tasks, and a task keeps what else it says', () => {
    const { result, values } = divideIntoIncrements({ tasks: [{ id: 'a', title: 'A', files: ['x'], depends_on: null }] });
    expect(result).toEqual({ increments: [{ id: 'INCREMENT-1', tasks: [{ id: 'a', title: 'A', files: ['x'], depends_on: null }] }] });
    expect(values).toEqual({ increments: [{ id: 'INCREMENT-1', tasks: [{ id: 'a', depends_on: [] }] }] });
  });
});

const failed = (gate: FailedGate['gate']): FailedGate[] => [{ gate, message: 'no' }];

/** Each character is the outcome of an attempt: `.` passes, a letter fails a gate. */
function played(plan: string, words: string, fixes = 3): Delivery {
  const delivery = newDelivery(divideIntoIncrements(tasksOf(plan)).values.increments, '0');
  for (const [i, word] of [...words].entries()) {
    const current = currentIncrement(delivery);
    if (!current) return delivery;
    beginAttempt(delivery, current, i + 1);
    const gate = word === 'r' ? 'no_regression' : word === 's' ? 'syntax_clean' : 'increment_tests_pass';
    endAttempt(delivery, current, { commit: `${delivery.at}.${i + 1}`, failed: word === '.' ? [] : failed(gate) }, fixes);
  }
  return delivery;
}

describe('what happens to an increment', () => {
  it.each([
    ['a b>a', '..', '0.1.2', 'PASS1 PASS1', 'what passes is kept'],
    ['a b>a', '.s.', '0.1.2.3', 'PASS1 PASS2', 'a fix stands on what it puts right'],
    ['a b>a', '.r.', '0.1.3', 'PASS1 PASS2', 'but not on a regression'],
    ['a b>a', '.stst', '0.1', 'PASS1 BLOCKED4', 'after its fixes it is rolled back, whatever it has failed of'],
    ['a b>a c>b', '.tttt', '0.1', 'PASS1 BLOCKED4 BLOCKED0', 'and what depends on it is not begun'],
    ['a b>a c>b', '.tttt.', '0.1', 'PASS1 BLOCKED4 BLOCKED0', 'also where nothing else is left'],
    ['a b', 'tttt', '0', 'undefined0 undefined0', 'of several tasks each is tried alone, from where the increment began'],
    ['a b', 'tttt.tttt', '0.5', 'PASS1 BLOCKED4', 'one may pass where the other is blocked'],
    ['a b c>a d>b e>c,d', 'tttt.tttt..', '0.5.10', 'PASS1 BLOCKED4 PASS1 BLOCKED0', 'what depends on the one that passed goes on'],
    ['a', 't', '0.1', 'IN_PROGRESS1', 'it is in progress as long as fixes are left'],
  ])('CP-6 · fallbacks · attempts and what is kept: %s, %s, %s', (plan, words, at, statuses) => {
    const delivery = played(plan, words);
    expect(delivery.at).toBe(at);
    expect(delivery.increments.map(({ status, attempts }) => `${status}${attempts}`).join(' ')).toBe(statuses);
  });

  it('CP-6 · fallbacks · without fixes the first attempt decides', () => {
    expect(played('a', 's', 0).increments).toMatchObject([{ status: 'BLOCKED', attempts: 1 }]);
  });

  it('CP-6 · workflow · an attempt that breaks off with its step is none', () => {
    const delivery = newDelivery(divideIntoIncrements(tasksOf('a')).values.increments, '0');
    for (let i = 0; i < 3; i++) {
      const current = currentIncrement(delivery);
      if (current) beginAttempt(delivery, current, i + 1);
    }
    expect(delivery.increments).toMatchObject([{ attempts: 1 }]);
  });

  it.each([
    [{ share: [1, 2] as const }, 1, 2, false],
    [{ share: [1, 2] as const }, 2, 3, true],
    [{ share: [2, 3] as const }, 2, 3, false],
    [{ share: [1, 1] as const }, 3, 3, false],
    [{ count: 1 }, 1, 9, false],
    [{ count: 1 }, 2, 9, true],
  ])('CP-6 · fallbacks · more than a share, or a count, may not be lost: %j, %i of %i', (share, lost, all, over) => {
    const tasks = Array.from({ length: all }, (_, i) => (i === 0 ? 't0' : `t${i}>t${i - 1}`)).join(' ');
    const delivery = played(tasks, `${'.'.repeat(all - lost)}t`, 0);
    expect(isOverShare(delivery, share)).toBe(over);
  });

  it('CP-6 · fallbacks · what is reverted are the last, and only these are tried again', () => {
    const delivery = played('a b>a c>b', '...');
    keepFirst(delivery, 1);
    expect(delivery).toMatchObject({ at: '0.1', increments: [{ status: 'PASS' }, { status: 'REVERTED' }, { status: 'REVERTED' }] });
    takeUpAgain(delivery);
    expect(currentIncrement(delivery)).toEqual({ id: 'INCREMENT-2', tasks: [{ id: 'b', depends_on: ['a'] }], attempts: 0 });
  });

  it('CP-6 · rerun from inside · the increment of a turn begins again, and what is after it', () => {
    const delivery = played('a b>a c>b', '.s..');
    backToTurn(delivery, 3);
    expect(delivery).toMatchObject({ at: '0.1', increments: [{ status: 'PASS' }, { attempts: 0 }, { attempts: 0 }] });
    expect(currentIncrement(delivery)).toEqual({ id: 'INCREMENT-2', tasks: [{ id: 'b', depends_on: ['a'] }], attempts: 0 });
    backToTurn(delivery, 1);
    expect(delivery).toMatchObject({ at: '0', increments: [{ attempts: 0 }, {}, {}] });
  });

  it('CP-6 · fallbacks · what was left out of what is kept is tried again, too, as an increment of its own', () => {
    // `a` is blocked; `b` and `y` pass, without `x`, which waits for `a`.
    const delivery = played('a b x>a y>b', 'tt..', 0);
    expect(delivery.increments.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'INCREMENT-1.1 BLOCKED',
      'INCREMENT-1.2 PASS',
      'INCREMENT-2 PASS',
    ]);
    takeUpAgain(delivery);
    expect(delivery.increments.map(({ id, tasks, status }) => [id, status, ...tasks.map((task) => task.id)].join(' '))).toEqual([
      'INCREMENT-1.1  a',
      'INCREMENT-1.2 PASS b',
      'INCREMENT-2 PASS y',
      'INCREMENT-2.1  x',
    ]);
  });

  it('CP-6 · fallbacks · a task that its executor could not do is tried again before what depends on it', () => {
    const delivery = newDelivery(divideIntoIncrements(tasksOf('a b a2>a')).values.increments, '0');
    const first = currentIncrement(delivery);
    if (!first) throw new Error('nothing to do');
    beginAttempt(delivery, first, 1);
    endAttempt(delivery, first, { commit: '0.1', failed: [], undone: ['a'] }, 0);
    expect(currentIncrement(delivery)).toBeUndefined();
    takeUpAgain(delivery);
    const order: string[] = [];
    for (let turn = 2, next = currentIncrement(delivery); next; next = currentIncrement(delivery), turn++) {
      order.push(...tasksLeft(delivery, next).map(({ id }) => id));
      beginAttempt(delivery, next, turn);
      endAttempt(delivery, next, { commit: `0.${turn}`, failed: [] }, 0);
    }
    expect(order).toEqual(['a', 'a2']);
    expect(outputOf(delivery, 'delivered')).toMatchObject({ lost: [], left_out: [], commit: '0.3' });
  });

  it('CP-6 · fallbacks · what is reverted are the last that were done, even if these come first in the plan', () => {
    const delivery = played('a b c>b', 'tt..', 0);
    takeUpAgain(delivery);
    const again = currentIncrement(delivery);
    if (!again) throw new Error('nothing is tried again');
    beginAttempt(delivery, again, 5);
    endAttempt(delivery, again, { commit: `${delivery.at}.5`, failed: [] }, 0);
    expect(delivery.at).toBe('0.3.4.5');
    keepFirst(delivery, 2);
    expect(delivery.at).toBe('0.3.4');
    expect(outputOf(delivery, 'partial')).toMatchObject({ kept: [{ tasks: ['b'] }, { tasks: ['c'] }], lost: [{ tasks: ['a'] }] });
  });

  it('CP-6 · workflow · random deliveries are those of a naive model', () => {
    for (let seed = 0; seed < sweepCount(400, 2000); seed++) naiveDelivery(chance(seed));
  });
});

/** A naive delivery, which computes the tasks that are done and the contents of the worktree. */
function naiveDelivery(below: (n: number) => number): void {
  const count = 1 + below(8);
  const tasks = Array.from({ length: count }, (_, i) => ({ id: `t${i}`, depends_on: i > 0 && below(3) > 0 ? [`t${below(i)}`] : [] }));
  const delivery = newDelivery(divideIntoIncrements(tasks as Json).values.increments, '');
  const fixes = below(3);
  const done = new Set<string>();
  const lost = new Set<string>();
  const isLost = (id: string): boolean =>
    lost.has(id) || (tasks.find((task) => task.id === id)?.depends_on ?? []).some((other) => isLost(other));
  const kept: string[] = [];
  for (let i = 0; i < delivery.increments.length; ) {
    const increment = delivery.increments[i];
    if (!increment) break;
    const open = increment.tasks.filter(({ id }) => !isLost(id)).map(({ id }) => id);
    if (open.length === 0) {
      expect(increment.status).toBe('BLOCKED');
      i++;
      continue;
    }
    let has: string[] = [];
    let passed = false;
    for (let attempt = 1; attempt <= fixes + 1 && !passed; attempt++) {
      expect(currentIncrement(delivery)).toBe(increment);
      expect(tasksLeft(delivery, increment).map(({ id }) => id)).toEqual(open);
      beginAttempt(delivery, increment, attempt);
      has.push(`${increment.id}.${attempt};`);
      const [kind, undone] = [below(4), open.filter(() => below(5) === 0)];
      const gates = [failed('syntax_clean'), failed('no_regression'), failed('increment_tests_pass')][kind] ?? [];
      passed = gates.length === 0;
      endAttempt(delivery, increment, { commit: [...kept, ...has].join(''), failed: gates, undone }, fixes);
      if (passed) for (const id of open) (undone.includes(id) ? lost : done).add(id);
      else if (kind === 1) has = [];
      expect(delivery.at).toBe([...kept, ...(passed || attempt <= fixes ? has : [])].join(''));
    }
    if (!passed && open.length > 1) {
      expect(delivery.increments).not.toContain(increment);
      expect(delivery.increments.slice(i, i + increment.tasks.length).map(({ tasks: own }) => own)).toEqual(
        increment.tasks.map((task) => [task]),
      );
      continue;
    }
    if (passed) kept.push(...has);
    else for (const id of open) lost.add(id);
    expect(increment.status).toBe(passed ? 'PASS' : 'BLOCKED');
    i++;
  }
  const inThem = delivery.increments.flatMap((one) => one.tasks.map(({ id }) => id));
  expect(inThem.sort()).toEqual(tasks.map(({ id }) => id).sort());
  expect(currentIncrement(delivery)).toBeUndefined();
  expect(delivery.at).toBe(kept.join(''));
  const { completed, progress_percent, gate_history } = progressOf(delivery);
  expect(completed).toBe(delivery.increments.filter(({ status }) => status === 'PASS').length);
  expect(progress_percent).toBe(Math.floor((100 * completed) / delivery.increments.length));
  expect(gate_history).toHaveLength(delivery.increments.length);
}

it('CP-6 · workflow · an entry of the journal stays short, however many increments there are', () => {
  const delivery = newDelivery(
    Array.from({ length: 1000 }, (_, i) => ({ id: `INCREMENT-${i + 1}`, tasks: [{ id: `t${i}`, depends_on: [] }] })),
    'base',
  );
  for (const increment of delivery.increments) {
    beginAttempt(delivery, increment, 1);
    endAttempt(delivery, increment, { commit: increment.id, failed: [] }, 1);
  }
  const { completed, gate_history } = progressSignal(delivery);
  expect(completed).toBe(1000);
  expect(gate_history).toHaveLength(20);
  expect(gate_history.at(-1)).toEqual({ id: 'INCREMENT-1000', attempts: 1, status: 'PASS' });
});

describe('files that an output names', () => {
  it.each([
    ['src/a.ts(3,1): error TS1005', ['src/a.ts']],
    ['src/a.ts:3:1 - error\nsrc/a.ts:9:1 - error', ['src/a.ts']],
    ['FAIL test/deep/b.test.ts', ['test/deep/b.test.ts']],
    ['  at f (./lib/c.js:3:1)', ['lib/c.js']],
    ['at file:///tmp/trees/x/lib/c.js:3', []],
    ['at /usr/lib/node/c.js:3', []],
    ['node_modules/jest/build/index.js:7', []],
    ['see https://example.org/a/b.html', []],
    ['it took 3.5s, e.g. once', []],
    ['a.test.ts:3: wrong', ['a.test.ts']],
    ['no files at all.', []],
  ])('CP-6 · workflow · files that a gate names: %j', (text, files) => {
    expect(filesNamed(text)).toEqual(files);
  });
});
