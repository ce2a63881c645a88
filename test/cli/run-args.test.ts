import { readRunArgs } from '../../cli/pipelines/run-args';
import type { Plan } from '../../plan/plan';

const PLAN: Plan = {
  irVersion: 2,
  name: 'p',
  source: '0'.repeat(64),
  trigger: { kind: 'manual' },
  args: { version: { type: 'string', required: true }, count: { type: 'integer', default: 3 }, tags: { type: 'array' } },
  block: { order: 'sequence', steps: [] },
};

test('text stays text for a string arg, and reads as JSON for the others', () => {
  expect(readRunArgs(PLAN, undefined, ['version=1.40', 'count=4', 'tags=["a"]'])).toEqual({ version: '1.40', count: 4, tags: ['a'] });
});

test('--arg wins over --args-json, and defaults fill in', () => {
  expect(readRunArgs(PLAN, '{"version": "1", "count": 9}', ['version=2'])).toEqual({ version: '2', count: 9 });
  expect(readRunArgs(PLAN, undefined, ['version=2'])).toEqual({ version: '2', count: 3 });
});

test('a value may hold an equals sign, a pair must', () => {
  expect(readRunArgs(PLAN, undefined, ['version=a=b'])['version']).toBe('a=b');
  expect(() => readRunArgs(PLAN, undefined, ['version'])).toThrow(expect.objectContaining({ exit: 2 }));
});

test('every wrong arg is reported', () => {
  try {
    readRunArgs(PLAN, undefined, ['count=many', 'nope=1']);
    throw new Error('not reached');
  } catch (error) {
    expect(error).toMatchObject({ exit: 2, code: 'args.invalid', more: { details: { problems: expect.any(Array) } } });
    expect((error as { more: { details: { problems: string[] } } }).more.details.problems).toHaveLength(3);
  }
});

test('--args-json that is not a JSON object is exit 2', () => {
  expect(() => readRunArgs(PLAN, '{', [])).toThrow(expect.objectContaining({ exit: 2 }));
  expect(() => readRunArgs(PLAN, '[1]', [])).toThrow(expect.objectContaining({ exit: 2 }));
});

describe('a secret', () => {
  const plan: Plan = { ...PLAN, args: { token: { secret: true, required: true } } };

  test('is given as its reference and stays one', () => {
    expect(readRunArgs(plan, undefined, ['token=secret://env/TOKEN'])).toEqual({ token: 'secret://env/TOKEN' });
  });

  test('in the open is refused, and not repeated', () => {
    expect(() => readRunArgs(plan, undefined, ['token=hunter2'])).toThrow(expect.objectContaining({ exit: 2, code: 'args.invalid' }));
    expect(() => readRunArgs(plan, undefined, ['token=hunter2'])).not.toThrow('hunter2');
  });
});

test('an arg that is called as something of every object is unknown like any other', () => {
  for (const name of ['__proto__', 'constructor']) {
    expect(() => readRunArgs(PLAN, undefined, ['version=1', `${name}=1`])).toThrow(name);
    expect(() => readRunArgs(PLAN, `{"version": "1", "${name}": 1}`, [])).toThrow(name);
  }
});

test('a Lobster file takes args that it does not declare', () => {
  expect(readRunArgs({ ...PLAN, dialect: 'lobster' }, undefined, ['version=1', 'more=x'])).toMatchObject({ more: 'x' });
});
