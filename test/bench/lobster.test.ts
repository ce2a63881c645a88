import { LOBSTER_CASES, STEPS, workflowText } from '../../bench/lobster/cases';
import { lobsterFigures } from '../../bench/lobster/figures';
import { compilePipeline } from '../../compiler/index';

const [warm] = LOBSTER_CASES;
if (warm === undefined) throw new Error('there are no cases');

test('the file compiles to as many commands, all but the first chained', () => {
  const { plan } = compilePipeline('hundred.lobster', workflowText(), { read: () => undefined, list: () => [] });
  expect(plan?.block.steps).toHaveLength(STEPS);
  expect(plan?.block.steps.filter((step) => step.kind === 'command' && step.chained)).toHaveLength(STEPS - 1);
});

test('what a call takes beyond its start is compared with the budget, and with Lobster’s own', () => {
  const calls = [{ case: warm, ours: [900, 1000, 1100] }];
  const figures = lobsterFigures(calls, { ours: [100, 100], lobster: [200] }, [650]);
  expect(figures).toMatchObject([
    { case: warm.name, metric: 'work-by-budget', ours: 0.9, reference: warm.budgetS, aim: 1 },
    { case: warm.name, metric: 'work-by-lobster', ours: 0.9, reference: 0.45, ratio: 2, aim: null },
  ]);
});

test('without Lobster there is nothing next to ours but the budget', () => {
  expect(lobsterFigures([{ case: warm, ours: [1000] }], { ours: [100], lobster: [] }, [])).toHaveLength(1);
});
