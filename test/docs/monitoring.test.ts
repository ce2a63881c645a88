import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STEPS_ENDED } from '../../plan/run/step-state';
import { countMetrics } from '../../worker/metrics';
import { namespaceGauges } from '../../worker/namespace-gauges';
import { ROOT, readPage } from './page';

const PATH = 'docs/monitoring.md';

interface Described {
  name: string;
  help: string;
  labels: readonly string[];
}

/** Every metric of ours, as the code has it; none is needed for it to run. */
function described(): Described[] {
  const { registry } = countMetrics();
  namespaceGauges(registry);
  const all = registry.getMetricsAsArray().map((metric): Described => {
    const { labelNames } = metric as unknown as { labelNames: string[] };
    return { name: metric.name, help: metric.help, labels: labelNames };
  });
  return [...all.filter(({ name }) => name.startsWith('thermidor_')), STEPS_ENDED];
}

function table(metrics: readonly Described[]): string {
  const rows = metrics.map(({ name, help, labels }) => `| \`${name}\` | ${help} | ${labels.map((label) => `\`${label}\``).join(', ')} |\n`);
  return `<!-- metrics -->\n| metric | what it says | labels |\n|---|---|---|\n${rows.join('')}<!-- end -->`;
}

const withTable = (page: string): string => page.replace(/<!-- metrics -->\n[\s\S]*?<!-- end -->/, table(described()));

if (process.env['UPDATE'] === '1') writeFileSync(join(ROOT, PATH), withTable(readPage(PATH)));

test('docs/monitoring.md has every metric of ours, with its labels', () => {
  expect(described().length).toBeGreaterThan(7);
  expect(readPage(PATH)).toBe(withTable(readPage(PATH)));
});

test('none of them has the id of a run', () => {
  const labels = new Set(described().flatMap((metric) => metric.labels));
  expect(['run', 'run_id', 'workflow_id', 'step'].filter((label) => labels.has(label))).toEqual([]);
});
