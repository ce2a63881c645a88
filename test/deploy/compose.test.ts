import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { compose, interpolated, isOneShot, mountsOf, ROOT } from './compose-file';

const services = Object.entries(compose.services);
const workers = services.filter(([name]) => name.startsWith('worker-'));
const MUST_BE_SET = /^\$\{[A-Z_]+:\?[^}]+\}$/;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

it('brings database, store, server, web interface, listener and two workers', () => {
  expect(Object.keys(compose.services).sort()).toEqual([
    ...['callbacks', 'postgresql', 'prepare-database', 'prepare-namespace', 'prepare-store', 'prepare-tables'],
    ...['temporal', 'temporal-ui', 'worker-1', 'worker-2'],
  ]);
});

it('is no pipeline: a file with a name would be taken for one', () => {
  expect(Object.keys(compose)).not.toContain('name');
});

describe.each(services)('service %s', (_, service) => {
  it('has an image pinned by a tag of numbers', () => {
    expect(service.image).toMatch(/^[a-z/-]+:\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
  });
  it('has a check with an interval, a timeout and a number of tries, or runs once', () => {
    if (isOneShot(service)) expect(service.healthcheck).toEqual({ disable: true });
    else expect(service.healthcheck).toMatchObject({ test: ['CMD', ...(service.healthcheck?.test?.slice(1) ?? ['?'])] });
    if (!isOneShot(service))
      expect(Object.keys(service.healthcheck ?? {})).toEqual(expect.arrayContaining(['interval', 'timeout', 'retries']));
  });
  it('takes no password but one that must be given', () => {
    for (const [name, value] of Object.entries(service.environment ?? {})) {
      if (/PASSWORD|PWD|SECRET|KEY/.test(name)) expect(value).toMatch(MUST_BE_SET);
      else expect(value).not.toMatch(/\$\{/);
    }
  });
  it('publishes on the loopback address only', () => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });
  it('starts after what it needs is healthy, or has done its work', () => {
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      const needed = compose.services[name];
      expect(condition).toBe(needed && isOneShot(needed) ? 'service_completed_successfully' : 'service_healthy');
    }
  });
  it('mounts only volumes that are declared and files that are there', () => {
    for (const source of Object.values(mountsOf(service)))
      expect(source.startsWith('./') ? existsSync(join(ROOT, source)) : source in compose.volumes).toBe(true);
  });
});

it('everything but the database waits for something', () => {
  const free = services.filter(([, service]) => service.depends_on === undefined).map(([name]) => name);
  expect(free).toEqual(['postgresql']);
});

it('workers share the store and nothing else, and each keeps its name and its disk', () => {
  const disks = workers.map(([, service]) => mountsOf(service)['/var/lib/thermidor']);
  expect(disks).toEqual(workers.map(([name]) => name));
  for (const [name, { environment }] of workers) {
    expect(environment).toMatchObject({ TEMPORAL_ADDRESS: 'temporal:7233', THERMIDOR_HOST: name });
    expect(environment?.['THERMIDOR_STORE']).toBe('postgres://thermidor@postgresql:5432/thermidor?sslmode=disable');
  }
});

it('whatever runs Thermidor may take longer to stop than its grace', () => {
  const settings = load(read('deploy/thermidor.yaml')) as { shutdown: { grace: string } };
  const seconds = Number(/^(\d+)s$/.exec(settings.shutdown.grace)?.[1]);
  for (const [, { build, stop_grace_period: given }] of services) if (build) expect(given).toBe('2m');
  expect(seconds).toBeLessThan(115);
});

it('the database has a connection for each of the server, of workers and of the listener', () => {
  const most = Number(/max_connections=(\d+)/.exec(compose.services['postgresql']?.command?.join(' ') ?? '')?.[1]);
  const ours = services.filter(([, { build, restart }]) => build && restart !== 'no').length;
  // Four services with a pool of 20 each, three of them with one of 10 for what is listed; three are the superuser's.
  expect(most).toBeGreaterThanOrEqual(4 * 20 + 3 * 10 + 11 * ours + 3);
});

it('a worker is healthy when it is ready', () => {
  for (const [, { healthcheck }] of workers) expect(healthcheck?.test?.at(-1)).toBe('http://127.0.0.1:9464/readyz');
});

it('the page and the file say how to make everything that must be set', () => {
  const needed = [...new Set([...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name))].sort();
  for (const text of [read('docker-compose.yml'), read('docs/operations.md')])
    expect(/for name in ([A-Z_ ]+);/.exec(text)?.[1]?.split(' ').sort()).toEqual(needed);
});

it('a variable that must be set is refused when it is empty', () => {
  const [must, may] = [`\${STORE_PASSWORD:?why}`, `\${SETTINGS:-./a}`];
  expect(() => interpolated(must, { STORE_PASSWORD: '' })).toThrow('STORE_PASSWORD is missing a value: why');
  expect(interpolated(`${may}:/b`, {})).toBe('./a:/b');
});

it('the scripts that run once are there and can be run', () => {
  for (const [, service] of services.filter(([, s]) => isOneShot(s))) {
    const folder = mountsOf(service)['/deploy'];
    if (folder === undefined) expect(service.command).toEqual(['store', 'migrate']);
    else expect(statSync(join(ROOT, folder, service.entrypoint!.at(-1)!.replace('/deploy/', ''))).mode & 0o111).not.toBe(0);
  }
});
