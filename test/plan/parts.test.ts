import { type loadRun, stepAt } from '../../activities/run/load-run';
import { problemOfAddress } from '../../compiler/test-file/check-address';
import { graphOf } from '../../plan/graph/graph';
import { parseAddress } from '../../plan/steps/address';
import { controlPlan } from '../../plan/steps/control';
import { stepsOfPlan, turnsIn } from '../../plan/steps/walk';
import { agent, approval, command, forEach, group, withParts } from '../support/steps';
import { planOf } from '../support/world';

/** Facts about the parts of a step that are known before any of them runs. */

const PLAN = planOf([
  forEach('each', [
    withParts('decide', [agent('security', { prompt: 'f'.repeat(64) }), group('both', [command('x')]), approval('person')]),
  ]),
  command('after'),
]);
const steps = new Map(stepsOfPlan(PLAN).map((step) => [step.id, step]));

const address = (text: string) => {
  const parsed = parseAddress(text);
  if (!parsed) throw new Error(text);
  return parsed;
};

test('what enters history of a part leaves out what only activities read, however deep it is', () => {
  const text = JSON.stringify(controlPlan(PLAN));
  expect(text).toContain('"id":"security"');
  expect(text).toContain('"id":"x"');
  expect(text).not.toContain('"prompt"');
  expect(text).not.toContain('"command":');
});

test('a script, and a stand-in of a test, go by the turn as well as by iterations around it', () => {
  expect(turnsIn(address('each[4]/decide[2]/security'), steps)).toEqual([4, 2]);
  expect(turnsIn(address('each[4]/decide[2]/both/x'), steps)).toEqual([4, 2]);
  expect(turnsIn(address('after'), steps)).toEqual([]);
});

test('a test names a part by its turn', () => {
  const problem = (written: string) => problemOfAddress(written, PLAN, new Map());
  expect(problem('each[0]/decide[2]/security')).toBeUndefined();
  expect(problem('each[0]/decide[2]/both/x')).toBeUndefined();
  expect(problem('security')).toBeUndefined();
  expect(problem('each[0]/decide/security')?.hint).toContain('decide[1]/security');
  expect(problem('each[0]/decide[1]')).toMatchObject({ message: expect.stringContaining('turn') });
  expect(problem('security/decide')?.hint).toContain('each[0]/decide');
});

test('a picture has parts within their step, and no ways between them: only its code knows any', () => {
  const [each] = graphOf(controlPlan(PLAN)).nodes;
  const [decide] = each?.within ?? [];
  expect(decide?.within?.map(({ id, depth }) => [id, depth])).toEqual([
    ['security', 0],
    ['both', 0],
    ['person', 0],
  ]);
});

test('an address that the plan does not have is nobody else’s work', () => {
  const run = { steps, plan: PLAN } as unknown as Awaited<ReturnType<typeof loadRun>>;
  expect(stepAt(run, address('each[0]/decide[1]/security')).id).toBe('security');
  expect(() => stepAt(run, address('each[0]/decide[1]/nobody'))).toThrow(expect.objectContaining({ code: 'internal' }));
});
