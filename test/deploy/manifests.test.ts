import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { compose, ROOT } from './compose-file';

interface Reference {
  name: string;
}
interface Container {
  image: string;
  envFrom?: { configMapRef?: Reference; secretRef?: Reference }[];
  securityContext?: object;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Pod {
  terminationGracePeriodSeconds?: number;
  securityContext: object;
  containers: Container[];
  volumes: { name: string; configMap: Reference }[];
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec?: { template?: { spec: Pod }; volumeClaimTemplates?: { metadata: Reference }[] };
}

const FOLDER = join(ROOT, 'deploy/kubernetes');
const manifests = readdirSync(FOLDER).flatMap((name) => loadAll(readFileSync(join(FOLDER, name), 'utf8')) as Manifest[]);
const named = (kind: string): string[] => manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
const pods = manifests.flatMap(({ metadata, spec }) => {
  const { template, volumeClaimTemplates = [] } = spec ?? {};
  return template ? [{ name: metadata.name, pod: template.spec, claims: volumeClaimTemplates.map((claim) => claim.metadata.name) }] : [];
});
const unit = (name: string): string => readFileSync(join(ROOT, 'deploy/systemd', name), 'utf8');

describe.each(pods)('Kubernetes: $name', ({ pod, claims }) => {
  it('reads settings and secrets that are there', () => {
    const sources = pod.containers.flatMap(({ envFrom = [] }) => envFrom);
    for (const { configMapRef, secretRef } of sources) {
      if (configMapRef) expect(named('ConfigMap')).toContain(configMapRef.name);
      if (secretRef) expect(named('Secret')).toContain(secretRef.name);
    }
    for (const { configMap } of pod.volumes) expect(named('ConfigMap')).toContain(configMap.name);
    const volumes = [...pod.volumes.map(({ name }) => name), ...claims];
    for (const { volumeMounts } of pod.containers) for (const { name } of volumeMounts) expect(volumes).toContain(name);
  });

  it('runs the image of the compose file, not as root, and may not become it', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
    for (const { image, securityContext } of pod.containers) {
      expect(image).toBe(compose.services['worker-1']?.image);
      expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false });
    }
  });
});

it('a pod of workers has longer to stop than its grace', () => {
  const settings = manifests.find(({ metadata }) => metadata.name === 'thermidor-settings')?.data?.['thermidor.yaml'];
  const workers = pods.find(({ name }) => name === 'thermidor-worker');
  expect(settings).toContain('grace: 100s');
  expect(workers?.pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(115);
});

it('the secret has no value', () => {
  const values = manifests.flatMap(({ stringData = {} }) => Object.values(stringData));
  expect(values).toEqual(['', '']);
});

it('the same variables lead to server and store, with Compose and with Kubernetes', () => {
  const given = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'thermidor')?.data ?? {};
  const secret = manifests.find(({ kind }) => kind === 'Secret')?.stringData ?? {};
  const own = compose.services['worker-1']?.environment ?? {};
  expect([...Object.keys(given), ...Object.keys(secret), 'THERMIDOR_HOST'].sort()).toEqual(Object.keys(own).sort());
});

it('a unit of systemd signals the worker alone, and waits for its grace', () => {
  expect(unit('thermidor-worker.service')).toMatch(/^KillMode=mixed$/m);
  expect(unit('thermidor-worker.service')).toMatch(/^ExecStart=\/usr\/bin\/env thermidor worker$/m);
  expect(unit('thermidor-callbacks.service')).toMatch(/^ExecStart=\/usr\/bin\/env thermidor worker --role callbacks$/m);
});
