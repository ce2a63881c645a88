import { BenchUsage, readBenchArguments } from '../../bench/arguments';
import type { Bench } from '../../bench/bench';

function bench(name: string, cases: string[]): Bench {
  return { name, doc: '', cases, measure: async () => [] };
}

const BENCHES = [bench('overhead', ['sequence-100', 'sequence-1000']), bench('start-up', ['cold'])];

function wanted(...argv: string[]): [string, readonly string[]][] {
  return readBenchArguments(argv, BENCHES).wanted.map(({ bench: { name }, cases }) => [name, cases]);
}

describe('arguments of the bench', () => {
  it('measure everything, five rounds, when there are none', () => {
    expect(wanted()).toEqual([
      ['overhead', ['sequence-100', 'sequence-1000']],
      ['start-up', ['cold']],
    ]);
    expect(readBenchArguments([], BENCHES)).toMatchObject({ rounds: 5, json: false, memory: false });
    expect(readBenchArguments(['--memory'], BENCHES)).toMatchObject({ memory: true });
    expect(readBenchArguments([], BENCHES)).not.toHaveProperty('address');
    expect(readBenchArguments(['--address', '127.0.0.1:7233'], BENCHES)).toMatchObject({ address: '127.0.0.1:7233' });
  });

  it('choose a bench by name', () => {
    expect(wanted('start-up')).toEqual([['start-up', ['cold']]]);
  });

  it('choose cases, and leave out a bench that has none of them', () => {
    expect(wanted('--case', 'sequence-1000')).toEqual([['overhead', ['sequence-1000']]]);
    expect(wanted('--case', 'cold', '--case', 'sequence-100')).toEqual([
      ['overhead', ['sequence-100']],
      ['start-up', ['cold']],
    ]);
  });

  it.each([
    ['an unknown bench', ['overheads']],
    ['an unknown case', ['--case', 'sequence-10']],
    ['a case of a bench that was not chosen', ['start-up', '--case', 'sequence-100']],
    ['an unknown option', ['--fast']],
    ['no round at all', ['--rounds', '0']],
    ['rounds that are no number', ['--rounds', 'many']],
  ])('refuse %s', (_, argv) => {
    expect(() => readBenchArguments(argv, BENCHES)).toThrow(BenchUsage);
  });
});
