import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { compose, ROOT } from '../deploy/compose-file';

/** `npm run test:topology`: what the specifications say of our files. Their schemas come from the network, once. */
const COMPOSE_SPEC = 'github.com/compose-spec/compose-go/v2@v2.16.2';
const KUBERNETES = { tool: 'kubernetes-validate==1.37.0', version: '1.37' };
const TEST_MS = 600_000;

test(
  'the compose file is as the Compose specification says',
  () => {
    const { Dir: folder } = JSON.parse(
      execFileSync('go', ['mod', 'download', '-json', COMPOSE_SPEC], { encoding: 'utf8', cwd: homedir() }),
    );
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(join(folder, 'schema/compose-spec.json'), 'utf8')));
    validate(compose);
    expect(validate.errors).toBeNull();
  },
  TEST_MS,
);

test(
  'the manifests are as Kubernetes says',
  () => {
    const tool = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'thermidor', KUBERNETES.tool);
    if (!existsSync(tool))
      execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', tool, KUBERNETES.tool], { stdio: 'ignore' });
    const folder = join(ROOT, 'deploy/kubernetes');
    const files = readdirSync(folder).map((name) => join(folder, name));
    const env = { ...process.env, PYTHONPATH: tool };
    const checked = spawnSync(join(tool, 'bin/kubernetes-validate'), ['--strict', '-k', KUBERNETES.version, ...files], {
      env,
      encoding: 'utf8',
    });
    expect(`${checked.stdout}${checked.stderr}`.split('\n').filter((line) => !line.startsWith('INFO'))).toEqual(['']);
    expect(checked.status).toBe(0);
  },
  TEST_MS,
);
