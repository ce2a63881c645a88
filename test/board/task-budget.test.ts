import { leftFor } from '../../kinds/board/machine/task-budget';
import type { BoardLimits } from '../../plan/board/board-state';
import { member, opened, task } from './board';

/** What tasks have used, and what is left for them. */

const use = (tokens: number, costMicroUsd = 0, more: { isCostUnknown?: true } = {}) => ({ tokens, costMicroUsd, ...more });

function board(taskBudget: BoardLimits['taskBudget'], names = ['a', 'b']) {
  const it = opened(
    [member('alice'), member('bob')],
    names.map((name) => task(name)),
    { taskBudget: taskBudget ?? {}, attempts: 10 },
  );
  return {
    ...it,
    it,
    used: (name: string, used: ReturnType<typeof use>) => it.tell({ kind: 'used', member: name, used }),
    left: (number: number) => {
      const found = it.state.tasks.find((one) => one.number === number);
      return found && leftFor(it.state, found);
    },
    taskAt: (number: number) => it.state.tasks.find((one) => one.number === number),
  };
}

test('what a WORK reports twice counts once, and the time since it began counts', () => {
  const { it, used, taskAt } = board({ tokens: 100 });
  it.wait(5000);
  used('alice', use(30, 7));
  it.wait(1000);
  used('alice', use(30, 7));
  used('alice', use(40, 9));
  expect(taskAt(1)?.used).toEqual({ tokens: 40, costMicroUsd: 9, ms: 6000 });
  expect(taskAt(2)?.used).toBeUndefined();
});

test('less than before, or of nobody, changes nothing', () => {
  const { it, used, taskAt } = board({ tokens: 100 });
  used('alice', use(30));
  used('alice', use(10));
  used('nobody', use(50));
  expect(taskAt(1)?.used?.tokens).toBe(30);
  it.tell({ kind: 'work-failed', member: 'alice', code: 'model.unauthorized', reason: 'no' });
  used('alice', use(99));
  expect(taskAt(1)?.used?.tokens).toBe(30);
});

test('another attempt has what is left, and each amount has its own end', () => {
  const { it, used, left, taskAt } = board({ tokens: 100, costMicroUsd: 50, wallClockMs: 60_000, toolCallsPerStep: 5 });
  it.wait(10_000);
  used('alice', use(30, 20));
  it.fail('alice', 1);
  expect(left(1)).toEqual({ tokens: 70, costMicroUsd: 30, wallClockMs: 50_000, toolCallsPerStep: 5 });
  it.tell({ kind: 'work-ended', member: 'alice', end: 'idle' });
  expect(taskAt(1)).toMatchObject({ status: 'in_progress', owner: 'alice' });
  used('alice', use(10, 30));
  it.fail('alice', 1);
  expect(taskAt(1)).toMatchObject({
    status: 'held',
    returned: { reason: 'its budget is used up: $0.0001 of $0.0001; no luck' },
  });
});

test('a person gives it a fresh one; what it has used in all stays known', () => {
  const { it, used, left, taskAt } = board({ tokens: 100 });
  used('alice', use(100));
  it.tell({ kind: 'work-ended', member: 'alice', end: 'spent', short: { kind: 'tokens', needed: 130 } });
  expect(taskAt(1)).toMatchObject({
    status: 'held',
    returned: { by: 'alice', reason: 'its budget is used up: 100 of 100 tokens; the next reply may take 30 tokens' },
  });
  expect(left(1)).toEqual({ tokens: 0 });
  it.tell({ kind: 'decided', task: 1, choice: 'again' });
  expect(left(1)).toEqual({ tokens: 100 });
  expect(taskAt(1)?.used?.tokens).toBe(100);
});

test('a budget that is too small for the first reply holds the task, and says so', () => {
  const { it, taskAt } = board({ tokens: 100 });
  it.tell({ kind: 'work-ended', member: 'alice', end: 'spent', short: { kind: 'tokens', needed: 3000 } });
  expect(taskAt(1)?.returned?.reason).toBe('its budget is used up: 0 of 100 tokens; the next reply may take 3000 tokens');
});

test('an unknown cost stays unknown, and the reason says that it is not counted', () => {
  const { it, used, taskAt } = board({ costMicroUsd: 50 });
  used('alice', use(10, 20, { isCostUnknown: true }));
  used('alice', use(20, 60));
  it.fail('alice', 1);
  expect(taskAt(1)?.used).toMatchObject({ costMicroUsd: 60, isCostUnknown: true });
  expect(taskAt(1)?.returned?.reason).toContain('not counting what costs an unknown amount');
});

test('the other tasks of the member are not held for it', () => {
  const { it, used, taskAt } = board({ tokens: 100 }, ['a']);
  it.create('alice', task('c'));
  // bob is idle, and has it at once.
  expect(taskAt(2)?.owner).toBe('bob');
  it.fail('bob', 2);
  used('alice', use(100));
  it.tell({ kind: 'work-ended', member: 'alice', end: 'spent', short: { kind: 'tokens', needed: 101 } });
  expect(taskAt(1)?.status).toBe('held');
  expect(taskAt(2)).toMatchObject({ status: 'in_progress' });
});

test('a claim ends the WORK only where tasks have budgets', () => {
  expect(board({ tokens: 100 }, ['a', 'b', 'c']).it.claim('alice', 3)).toMatchObject({ begins_with_next_work: true });
  const plain = opened([member('alice')], [task('a'), task('b')]);
  expect(plain.claim('alice', 2)).not.toHaveProperty('begins_with_next_work');
});
