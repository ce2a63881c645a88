import { formatAddress, parseAddress, shortAddress, stepIdOf } from '../../plan/steps/address';

describe('an address', () => {
  it.each(['build#1~1', 'converge#2~1', 'build/tests[3]/ask#2~14', 'a-b_c#10~1'])('%s reads and writes back', (text) => {
    const address = parseAddress(text);
    expect(address && formatAddress(address)).toBe(text);
  });

  it('may be written without round and try', () => {
    expect(parseAddress('build/tests[3]')).toEqual({ path: [{ id: 'build' }, { id: 'tests', index: 3 }], round: 1, try: 1 });
    expect(shortAddress({ path: [{ id: 'x' }], round: 2, try: 1 })).toBe('x#2');
    expect(shortAddress({ path: [{ id: 'x' }], round: 1, try: 3 })).toBe('x~3');
  });

  it('names its innermost step', () => {
    expect(stepIdOf({ path: [{ id: 'build' }, { id: 'ask' }], round: 1, try: 1 })).toBe('ask');
  });

  it.each(['', '#1', 'a#0', 'a~0', 'a//b', 'a b', 'a[x]', 'a#1#2', '../a'])('%j is none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});
