import { lobsterArgEnvironment } from '../../../activities/stages/arg-variables';
import { checkArgs } from '../../../plan/run/args';
import { lobsterResult } from '../../../plan/stages/lobster-result';

describe('the args of a Lobster run', () => {
  it('are variables of its commands', () => {
    expect(lobsterArgEnvironment({ 'my-arg.x': 'a "b" $c', list: [1, 'x'], none: null, '--': 1, __a__: true })).toEqual({
      LOBSTER_ARGS_JSON: '{"my-arg.x":"a \\"b\\" $c","list":[1,"x"],"none":null,"--":1,"__a__":true}',
      LOBSTER_ARG_MY_ARG_X: 'a "b" $c',
      LOBSTER_ARG_LIST: '1,x',
      LOBSTER_ARG_NONE: 'null',
      LOBSTER_ARG_A: 'true',
    });
    expect(lobsterArgEnvironment({})).toEqual({ LOBSTER_ARGS_JSON: '{}' });
  });

  it('may be others than those declared, in a Lobster file alone', () => {
    const specs = { a: { default: 1 }, b: {} };
    expect(checkArgs({ args: specs, dialect: 'lobster' }, { c: 2 })).toEqual({ args: { a: 1, c: 2 }, problems: [] });
    expect(checkArgs({ args: specs }, { c: 2 }).problems).toMatchObject([{ arg: 'c' }]);
  });
});

describe('the result of a Lobster run', () => {
  it.each([
    ['spreads a list', { json: [1, 2], stdout: '[1,2]' }, [1, 2]],
    ['is the output', { json: { a: 1 }, stdout: '{"a":1}' }, [{ a: 1 }]],
    ['is an output of null too', { json: null, stdout: 'null' }, [null]],
    ['is the response', { response: 'yes' }, ['yes']],
    ['is the text where there is no output', { stdout: 'hi\n' }, ['hi\n']],
    ['is nothing of an empty text', { stdout: '' }, []],
    ['is nothing of a step that left nothing', {}, []],
    ['is nothing where none ran', undefined, []],
  ])('%s', (_, last, expected) => {
    expect(lobsterResult(last)).toEqual(expected);
  });
});
