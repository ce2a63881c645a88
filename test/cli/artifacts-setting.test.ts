import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkStore } from '../../cli/checks/store';
import { Options } from '../../cli/command';
import { requireStore } from '../../cli/session/require-store';
import { loadConfiguration } from '../../cli/settings/configuration';
import { recordsOf } from '../../cli/settings/records';
import { S3_KEYS, S3Server } from '../support/s3-server';
import { scratchFolder } from '../support/scratch-folder';

/** `artifacts: s3://…`: where content goes, and what is asked of the bucket before anything is begun. */
let server: S3Server;
let cwd = '';
beforeAll(async () => {
  server = await S3Server.start();
  Object.assign(process.env, S3_KEYS);
});
afterAll(async () => {
  for (const name of Object.keys(S3_KEYS)) delete process.env[name];
  await server.stop();
});
beforeEach(() => {
  cwd = scratchFolder();
  server.options = {};
});

function read(text: string, env: NodeJS.ProcessEnv = {}) {
  writeFileSync(join(cwd, 'thermidor.yaml'), text);
  return loadConfiguration(new Options({}), { cwd, env, home: cwd, platform: 'linux' });
}

function addressOf(): { address: string; objects: () => string[] } {
  const { bucket, endpoint } = server.place();
  return { address: `s3://${bucket}/floor?endpoint=${endpoint}`, objects: () => [...(server.buckets.get(bucket)?.keys() ?? [])] };
}

test('content goes to the bucket, and nothing else', async () => {
  const { address, objects } = addressOf();
  const { artifacts, control, ledger } = recordsOf(read(`artifacts: ${address}`));
  await artifacts.put('one', { mediaType: 'text/plain' });
  await control.put('plan', '{}', 'p');
  await ledger.putIfAbsent({ workflowId: 'w', run: 'r' }, 'name', 1);
  expect(objects().map((key) => key.split('/').slice(0, 2).join('/'))).toEqual(['floor/output', 'floor/plan']);
});

test('a variable wins over the file, and both are read with care', () => {
  expect(read('artifacts: s3://one/a', { THERMIDOR_ARTIFACTS: 's3://two' }).artifacts).toEqual({
    value: 's3://two',
    source: 'THERMIDOR_ARTIFACTS',
  });
  expect(() => read('user: ann\nartifacts: https://one')).toThrow(/^thermidor\.yaml:2:12: "artifacts" must be s3:\/\/bucket\/prefix/);
  expect(() => read('', { THERMIDOR_ARTIFACTS: 'one' })).toThrow(/^THERMIDOR_ARTIFACTS must be s3:\/\/bucket\/prefix/);
});

test('a worker and doctor take a bucket that keeps conditions, and refuse one that ignores them, or that is missing', async () => {
  const check = async (address: string) => {
    const configuration = read(`artifacts: ${address}`);
    const refused: string = await requireStore(configuration).then(
      () => '',
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
    const checks = await checkStore(configuration, join(cwd, '.thermidor'));
    return { refused, checks: checks.map(({ name, state, says }) => `${name} ${state}: ${says}`) };
  };
  const { address } = addressOf();
  const fine = await check(address);
  expect(fine).toEqual({
    refused: '',
    checks: [expect.stringMatching(/^artifact store ok/), expect.stringMatching(/^artifacts ok: s3:.* puts content once/)],
  });
  const missing = await check(`s3://nosuch/floor?endpoint=${server.endpoint}`);
  const says = /the bucket s3:\/\/nosuch\/floor\/ at 127\.0\.0\.1:\d+ cannot be used: there is no such bucket/;
  expect([missing.refused, missing.checks[1]]).toEqual([expect.stringMatching(says), expect.stringMatching(says)]);
  server.options = { ignoresConditions: true };
  const careless = await check(addressOf().address);
  expect(careless.refused).toMatch(/^store\.unavailable: .* ignores the condition If-None-Match/);
  expect(careless.checks).toEqual([
    expect.stringMatching(/^artifact store ok/),
    expect.stringMatching(/^artifacts failed: .* ignores the condition/),
  ]);
});
