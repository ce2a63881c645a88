import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

interface Service {
  image?: string;
  build?: string;
  restart?: string;
  init?: boolean;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  deploy?: { replicas: number };
  healthcheck?: { test?: string[]; disable?: true; interval?: string; timeout?: string; retries?: number };
  depends_on?: Record<string, { condition: string }>;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
}

const root = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const compose = load(read('docker-compose.yml')) as Compose;
const services = Object.entries(compose.services);
const isOneShot = (service: Service) => service.restart === 'no';
const PASSWORD = /^\$\{[A-Z_]+:\?[^}]+\}$/;

it('brings database, server, web interface and two workers', () => {
  expect(Object.keys(compose.services).sort()).toEqual([
    ...['postgresql', 'prepare-database', 'prepare-namespace', 'temporal', 'temporal-ui', 'worker'],
  ]);
  expect(compose.services['worker']).toMatchObject({ build: '.', command: ['worker'], init: true, deploy: { replicas: 2 } });
});

it('is no pipeline: a file with a name would be found as one', () => {
  expect(Object.keys(compose).sort()).toEqual(['services', 'volumes']);
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
      if (/PASSWORD|PWD|SECRET|KEY/.test(name)) expect(value).toMatch(PASSWORD);
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
    for (const volume of service.volumes ?? []) {
      const source = volume.split(':')[0]!;
      expect(source.startsWith('./') ? existsSync(join(root, source)) : source in compose.volumes).toBe(true);
    }
  });
});

it('everything but the database waits for something', () => {
  const free = services.filter(([, service]) => service.depends_on === undefined).map(([name]) => name);
  expect(free).toEqual(['postgresql']);
});

it('both workers share one state, and know the server by the standard variables', () => {
  const worker = compose.services['worker']!;
  expect(worker.environment).toEqual({ TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'default' });
  expect(worker.volumes).toContain('state:/srv/thermidor/.thermidor');
});

it('the scripts that run once are there and can be run', () => {
  for (const [, service] of services.filter(([, s]) => isOneShot(s))) {
    const path = join(root, 'deploy/temporal', service.entrypoint!.at(-1)!.replace('/deploy/', ''));
    expect(statSync(path).mode & 0o111).not.toBe(0);
  }
});
