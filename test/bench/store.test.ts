import { STORE_CASES, type StoreCase, scriptText, WARM_UP } from '../../bench/store/cases';
import { storeFigures } from '../../bench/store/figures';
import { compilePipeline } from '../../compiler/index';

const stepsOf = ({ name, pipeline }: StoreCase) =>
  compilePipeline(`${name}.yaml`, pipeline, { read: () => undefined, list: () => [] }).plan?.block.steps ?? [];

it('measures as many commands, agents and chained commands as the names of its cases say', () => {
  expect(STORE_CASES.map((each) => [each.name, stepsOf(each).length])).toEqual([
    ['commands-300', 301],
    ['agents-300', 301],
    ['chained-1000', 1000],
  ]);
  expect(stepsOf(WARM_UP)).toHaveLength(11);
});

it('has a reply for each agent', () => {
  const agents = STORE_CASES.filter(({ isScripted }) => isScripted).flatMap((each) => stepsOf(each).filter(({ kind }) => kind === 'agent'));
  expect(agents).toHaveLength(300);
  for (const { id } of agents) expect(scriptText()).toContain(`\n  ${id}: `);
});

it('compares the middle times of both stores', () => {
  const [each] = STORE_CASES;
  const samples = each ? [{ case: each, folder: [1000, 2000, 9000], database: [3000, 2000, 4000] }] : [];
  expect(storeFigures(samples)).toEqual([
    { bench: 'store', case: 'commands-300', metric: 'wall-by-folder', ours: 3, reference: 2, unit: 's', ratio: 1.5, aim: 1.5 },
  ]);
});
