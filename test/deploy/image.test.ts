import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEARCH_ATTRIBUTES } from '../../plan/run/search-attributes';

const root = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const lines = read('Dockerfile')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const of = (instruction: string) =>
  lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));
const finalStage = lines.slice(lines.map((line) => line.startsWith('FROM ')).lastIndexOf(true));

it('every stage is built on the same Debian image: the native core has no musl build', () => {
  expect(of('FROM').length).toBeGreaterThan(1);
  for (const from of of('FROM')) expect(from).toMatch(/^node:20-bookworm-slim( AS \w+)?$/);
});

it('what runs has no development dependencies and is not root', () => {
  expect(of('RUN')).toContain('npm ci --omit=dev');
  expect(finalStage).toContain('COPY --from=dependencies /build/node_modules ./node_modules');
  expect(finalStage).toContain('USER node');
  expect(finalStage.indexOf('USER node')).toBeGreaterThan(finalStage.findLastIndex((line) => line.startsWith('RUN ')));
});

it('its entry is thermidor, its default command a worker, and it has a check', () => {
  expect(finalStage).toContain('ENTRYPOINT ["tini", "--", "thermidor"]');
  expect(finalStage).toContain('CMD ["worker", "--metrics-port", "9464"]');
  expect(of('HEALTHCHECK')).toHaveLength(1);
});

it('has what worktrees, TLS and signals need', () => {
  const installed = of('RUN').find((line) => line.includes('apt-get install')) ?? '';
  for (const name of ['ca-certificates', 'git', 'openssh-client', 'tini']) expect(installed).toMatch(new RegExp(`\\s${name}\\s`));
});

it('the context lets in only what is named, and all of that is there', () => {
  const [first, ...rest] = read('.dockerignore').trim().split('\n');
  expect(first).toBe('*');
  for (const line of rest) expect(line.startsWith('!') && existsSync(join(root, line.slice(1)))).toBe(true);
});

it('the fleet’s namespace gets the search attributes of the contract', () => {
  const registered = /^attributes='([^']*)'$/m.exec(read('deploy/temporal/prepare-namespace.sh'))?.[1]?.split(' ');
  expect(registered).toEqual([...SEARCH_ATTRIBUTES]);
});
