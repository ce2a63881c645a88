import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './compose-file';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const names = (text: string): string[] =>
  [...text.matchAll(/\bthermidor_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''));
const known = new Set(names(read('docs/monitoring.md')));

it('the dashboard and the alerts ask for metrics that there are', () => {
  const { panels } = JSON.parse(read('deploy/grafana/thermidor.json')) as { panels: { targets: { expr: string }[] }[] };
  const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => names(expr)));
  expect(asked.length).toBeGreaterThan(5);
  expect([...asked, ...names(read('docs/operations.md'))].filter((name) => !known.has(name))).toEqual([]);
});
