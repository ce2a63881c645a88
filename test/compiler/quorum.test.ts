import { compilePipeline } from '../../compiler';
import { defined } from '../../plan/defined';
import type { Quorum } from '../../plan/people/quorum';
import { sourcesOf } from './golden-case';

function compile(text: string) {
  return compilePipeline('pipeline.yaml', text, sourcesOf(new Map()));
}

const branches = '[{id: a, run: "true"}, {id: b, run: "true"}, {id: c, run: "true"}]';

const rows: [string, Quorum][] = [
  ['1', { count: 1 }],
  ['2', { count: 2 }],
  ['"3"', { count: 3 }],
  ['1.0', { share: [10, 10] }],
  ['2/3', { share: [2, 3] }],
  ['"1 / 2"', { share: [1, 2] }],
  ['0.6', { share: [6, 10] }],
  ['.5', { share: [5, 10] }],
  ['0.33', { share: [1, 3] }],
  ['0.3333333333333333', { share: [1, 3] }],
  ['0.67', { share: [2, 3] }],
  ['0.66667', { share: [2, 3] }],
  ['0.66', { share: [66, 100] }],
];

test.each(rows)('quorum: %s of branches reads as %j', (written, quorum) => {
  const { plan } = compile(`name: p\nsteps:\n  - {id: poll, branches: ${branches}, wait: {quorum: ${written}}}\n`);
  expect(plan?.block.steps[0]).toMatchObject({ wait: { quorum } });
});

test.each([
  ['2', 2],
  ['2/3', 2],
  ['0.67', 2],
  ['1.0', 3],
  ['0.5', 2],
  ['1', undefined],
])('quorum: %s of three approvers, is %p', (written, needed) => {
  const { plan } = compile(`name: p\nsteps:\n  - {id: ok, type: approval, approvers: [ann, bob, eve], quorum: ${written}}\n`);
  expect(plan?.block.steps[0]).toMatchObject({ id: 'ok', ...defined({ quorum: needed }) });
  expect(Object.hasOwn(plan?.block.steps[0] ?? {}, 'quorum')).toBe(needed !== undefined);
});

test('the same text in JSON means the same', () => {
  const of = (quorum: string) =>
    compile(
      `{"name": "p", "steps": [{"id": "poll", "wait": {"quorum": ${quorum}}, "branches": [{"id": "a", "run": "x"}, {"id": "b", "run": "x"}]}]}`,
    );
  expect(of('1').plan?.block.steps[0]).toMatchObject({ wait: { quorum: { count: 1 } } });
  expect(of('1.0').plan?.block.steps[0]).toMatchObject({ wait: { quorum: { share: [10, 10] } } });
});
