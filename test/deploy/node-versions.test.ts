import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { nodeCheck } from '../../cli/checks/machine';

/** The versions of Node that are promised, tested and required are the same everywhere. */
const ROOT = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const manifest: { engines: { node: string } } = JSON.parse(read('package.json'));
const least = manifest.engines.node.replace('>=', '');
const workflow = load(read('.github/workflows/ci.yml')) as { jobs: { check: { strategy: { matrix: { node: number[] } } } } };
const tested = workflow.jobs.check.strategy.matrix.node;

it('the tests run on the oldest version that is promised, and on those the README names', () => {
  expect(tested[0]).toBe(Number(least.split('.')[0]));
  expect(read('README.md')).toContain(`Node ${tested.slice(0, -1).join(', ')} and ${tested.at(-1)}`);
});

it('`doctor` and the pages ask for the version that the package asks for', () => {
  const [major = 0, minor = 0] = least.split('.').map(Number);
  expect(nodeCheck(least).state).toBe('ok');
  expect(nodeCheck(`${major}.${minor - 1}.9`).state).toBe('failed');
  for (const page of ['README.md', 'docs/tutorial.md']) expect(read(page)).toContain(`Node ${major}.${minor} or newer`);
});

it('images are built on a version that is tested', () => {
  const images = [...read('Dockerfile').matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => Number(major));
  expect(images.length).toBeGreaterThan(0);
  for (const major of images) expect(tested).toContain(major);
});
