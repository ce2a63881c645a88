import { stepsBehind } from '../../bench/scale/cases';
import { stepsFigures, waitingFigures } from '../../bench/scale/figures';
import { readStepsAnswer } from '../../bench/scale/steps-process';

const mark = (cpuMs: number) => ({ cpuMs, wallMs: 2 * cpuMs });

describe('figures of long runs', () => {
  const answer = { marks: { 100: mark(1000), 3100: mark(7000), 7000: mark(20_000), 10000: mark(26_600) }, executions: 9, peakMb: 300 };

  it('compare what a step costs late with what it costs early', () => {
    expect(stepsFigures([answer])).toMatchObject([
      { metric: 'late-by-early-cpu', ours: 2.2, reference: 2, ratio: 1.1, aim: 1.1 },
      { metric: 'late-by-early-wall', ratio: 1.1, aim: null },
    ]);
  });

  it('are no numbers, and so miss their aim, if a mark is missing', () => {
    expect(stepsFigures([{ ...answer, marks: {} }])[0]?.ratio).toBeNaN();
  });

  it('compare the memory of waiting runs with their budget', () => {
    expect(waitingFigures([{ peakMb: 300, waiting: 2000 }])).toMatchObject([
      { metric: 'peak-memory', ours: 300, reference: 400, ratio: 0.75, aim: 1 },
      { metric: 'waiting', ours: 2000, reference: 2000, ratio: 1 },
    ]);
  });

  it('come from the last line that the process printed', () => {
    expect(readStepsAnswer(`warming up\n${JSON.stringify(answer)}\n`)).toEqual(answer);
    expect(() => readStepsAnswer('{"other": 1}')).toThrow('not what a run of many steps reports');
  });

  it('count steps by the last of each group', () => {
    expect(stepsBehind('announce9#1~1')).toBe(100);
    expect(stepsBehind('list9#1~1')).toBeUndefined();
  });
});
