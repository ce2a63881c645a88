import { defined } from '../../plan/defined';
import { controlPlan } from '../../plan/steps/control';
import type { Step } from '../../plan/steps/step';
import { upstreamOf } from '../../plan/steps/upstream';

const wait = (id: string, after?: string[]): Step => ({ id, kind: 'wait', forMs: 1, ...defined({ after }) }) as Step;

function upstreamIn(plan: { block: { order: 'sequence' | 'graph'; steps: Step[] }; finally?: Step[] }, id: string): string[] {
  const whole = { irVersion: 2, name: 'p', source: '', trigger: { kind: 'manual' }, block: plan.block } as const;
  const last = plan.finally ? { finally: { order: 'sequence' as const, steps: plan.finally } } : {};
  return [...upstreamOf(controlPlan({ ...whole, ...last }))(id)].map((step) => step.id);
}

describe('the steps upstream of a step', () => {
  const diamond = {
    block: {
      order: 'graph' as const,
      steps: [wait('intel'), wait('bull', ['intel']), wait('bear', ['intel']), wait('join', ['bull', 'bear']), wait('after', ['join'])],
    },
  };

  test('are all it depends on, through others too, the nearest first', () => {
    expect(upstreamIn(diamond, 'join')).toEqual(['bull', 'bear', 'intel']);
    expect(upstreamIn(diamond, 'intel')).toEqual([]);
  });

  test('are never those side by side with it, nor those after it', () => {
    expect(upstreamIn(diamond, 'bull')).toEqual(['intel']);
  });

  test('are in a sequence all before it', () => {
    const block = { order: 'sequence' as const, steps: [wait('a'), wait('b'), wait('c')] };
    expect(upstreamIn({ block }, 'c')).toEqual(['b', 'a']);
  });

  const group = (id: string, ...steps: Step[]): Step => ({ id, kind: 'group', block: { order: 'sequence', steps } });
  const parallel = (id: string, ...branches: Step[]): Step => ({ id, kind: 'parallel', branches });
  const loop = (id: string, ...steps: Step[]): Step =>
    ({ id, kind: 'for_each', items: { kind: 'literal', value: [] }, block: { order: 'sequence', steps } }) as Step;

  test('reach beyond the block that it is in, and leave out the other branches', () => {
    const block = {
      order: 'sequence' as const,
      steps: [wait('first'), parallel('par', group('left', wait('l1'), wait('l2')), group('right', wait('r1'), wait('r2')))],
    };
    expect(upstreamIn({ block }, 'r2')).toEqual(['r1', 'first']);
  });

  test('have with a container what is within it, and of a loop the loop alone', () => {
    const block = { order: 'sequence' as const, steps: [parallel('par', wait('a'), wait('b')), loop('each', wait('inner')), wait('end')] };
    expect(upstreamIn({ block }, 'end')).toEqual(['each', 'par', 'b', 'a']);
    expect(upstreamIn({ block }, 'inner')).toEqual(['par', 'b', 'a']);
  });

  test('are in `finally` all of the run', () => {
    const block = { order: 'graph' as const, steps: [wait('a'), wait('b')] };
    expect(upstreamIn({ block, finally: [wait('f1'), wait('f2')] }, 'f2')).toEqual(['f1', 'b', 'a']);
  });

  test('are walked lazily, in time with what is asked for', () => {
    const steps = Array.from({ length: 1000 }, (_, i) => wait(`s${i}`));
    const first = upstreamOf(
      controlPlan({ irVersion: 2, name: 'p', source: '', trigger: { kind: 'manual' }, block: { order: 'sequence', steps } }),
    )('s999');
    expect([first.next().value?.id, first.next().value?.id]).toEqual(['s998', 's997']);
  });
});
