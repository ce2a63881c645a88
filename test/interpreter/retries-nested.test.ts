import { requestLimits } from '../../plan/budgets/request-limits';
import { ThermidorFailure } from '../../plan/run/failure';
import type { AgentStep, Step } from '../../plan/steps/step';
import { agent, command, forEach, group, parallel, review, reviewed } from '../support/steps';
import { planOf, runPlan, type StepBehaviour } from '../support/world';

const invalid: StepBehaviour = () => {
  throw new ThermidorFailure('reply.invalid', 'no JSON');
};
const apiError: StepBehaviour = () => {
  throw new ThermidorFailure('model.api-error', '500');
};
const fails: StepBehaviour = () => {
  throw new ThermidorFailure('command.failed', 'exit 1');
};

async function triesOf(id: string, step: Step, behaviour: StepBehaviour): Promise<number> {
  const world = runPlan(planOf([step]), { steps: { [id]: behaviour }, lists: { each: ['only'] } });
  await world.elapse();
  await expect(world.result).rejects.toThrow();
  return world.seen.filter((seen) => seen.step === id).length;
}

const NESTS: [string, (step: Step) => Step][] = [
  ['by itself', (step) => step],
  ['in a group', (step) => parallel('p', [group('g', [step])])],
  ['in a branch', (step) => parallel('p', [step])],
  ['in a loop', (step) => forEach('each', [step])],
  ['in a group in a loop in a branch', (step) => parallel('p', [group('g', [forEach('each', [group('h', [step])])])])],
];

describe.each(NESTS)('a step that fails %s is tried as often as it would be alone', (_, nested) => {
  test('an agent with an incomplete reply', async () => {
    expect(await triesOf('ask', nested(agent('ask')), invalid)).toBe(4);
  });

  test('an agent at an error of the API', async () => {
    expect(await triesOf('ask', nested(agent('ask')), apiError)).toBe(2);
  });

  test('a command with a retry of its own', async () => {
    expect(await triesOf('run', nested(command('run', { retry: { max: 3 } })), fails)).toBe(3);
  });
});

test('a container with a retry of its own tries again what it holds', async () => {
  const step = parallel('p', [command('run', { retry: { max: 2 } })], { retry: { max: 3 } });
  expect(await triesOf('run', step, fails)).toBe(6);
});

test('a step within never has the round of one that is forgotten', async () => {
  const steps = [agent('make'), review('judge', 'make', { onRevise: [{ kind: 'retry', step: 'make', max: 5 }] }), command('flaky')];
  const back = review('again', 'each', { onRevise: [{ kind: 'retry', step: 'each', max: 1 }] });
  let flaky = 0;
  let again = 0;
  const world = runPlan(planOf([{ ...group('all', [forEach('each', steps), back]), retry: { max: 2 } }]), {
    lists: { each: ['first', 'second'] },
    steps: {
      judge: ({ call }) => reviewed(/\[0\].*#[12]~/.test(call.options.address ?? '') ? 'revise' : 'pass'),
      again: () => reviewed(again++ === 0 ? 'revise' : 'pass'),
      flaky: (seen) => (flaky++ === 1 ? fails(seen) : {}),
    },
  });
  await world.completes();
  const addresses = world.seen.map(({ call }) => call.options.address);
  expect(addresses).toEqual([...new Set(addresses)]);
  expect(addresses).toContain('all/each[0]/make#4~1');
});

test.each([
  [undefined, [], 4],
  [undefined, [2], 3],
  [undefined, [6, 9], 7],
  [1, [], 1],
  [2, [], 2],
  [3, [], 3],
  [6, [], 6],
  [6, [2], 3],
  [2, [6], 2],
])('an agent with a retry of %j under retries_per_step %j has %d tries, whatever it fails with', async (max, ceilings, most) => {
  const [retriesPerStep] = ceilings;
  const step: AgentStep = {
    ...{ kind: 'agent', id: 'ask', agent: 'worker' },
    ...(max === undefined ? {} : { retry: { max } }),
    ...(retriesPerStep === undefined ? {} : { budget: { retriesPerStep } }),
  };
  let n = 0;
  const mixed: StepBehaviour = (seen) => (n++ % 2 === 0 ? apiError(seen) : invalid(seen));
  expect(requestLimits(step, ceilings)).toEqual({ tries: most, requests: 2 * most });
  expect(await triesOf('ask', step, invalid)).toBe(most);
  // A step without a retry of its own is tried again after an error of the API.
  expect(await triesOf('ask', step, mixed)).toBe(max === undefined ? Math.min(most, 3) : most);
});

test('the tightest budget around an agent bounds its respawns, in the run as in the plan', async () => {
  const step: AgentStep = { kind: 'agent', id: 'ask', agent: 'worker', repair: 2, budget: { retriesPerStep: 1 } };
  expect(requestLimits(step, [3, 1])).toEqual({ tries: 2, requests: 6 });
  expect(await triesOf('ask', step, invalid)).toBe(2);
});
