import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../durability/support/until';
import { chain, ran, shop, step } from './command-chain';
import { KEY } from './workshop';

const DIST = join(__dirname, '../../dist');

/** The part of a worker's process that this activity needs: it runs the chain, and prints its failure. */
const HOLDER = `
const at = (path) => require(${JSON.stringify(DIST)} + '/activities/' + path);
const [, root, key, ids] = process.argv;
const toolbox = {
  artifacts: new (at('../records/directory/artifact-files.js').ArtifactFiles)(root),
  control: new (at('../records/directory/control-files.js').ControlFiles)(root),
  ledger: new (at('../records/directory/ledger-files.js').LedgerFiles)(root),
  environments: new (at('../records/directory/environment-files.js').EnvironmentFiles)(root),
  secrets: new (at('adapters/secrets.js').LocalSecrets)(),
  processes: new (at('adapters/processes/process-runner.js').GroupProcessRunner)(),
  nowMs: () => 0,
  log() {},
};
const call = { key: JSON.parse(key), id: 'a#1~1/chain', attempt: 1, signal: new AbortController().signal, heartbeat() {} };
const steps = JSON.parse(ids).map((id) => ({ address: id + '#1~1', input: {} }));
at('commands/commands.js').commands(toolbox, call, { run: call.key.run, steps }).then(
  () => console.log('done'),
  (error) => console.log(error.code),
);
`;

describe('a worker that is stopped by SIGSTOP in a command', () => {
  test('begins no further command when it goes on while another is running on them', async () => {
    const at = shop();
    const file = (name: string) => join(at.root, name);
    const line = (name: string) => `echo ${name} >> ${file('ran')}; while [ ! -e ${file(`${name}-may-end`)} ]; do sleep 0.02; done`;
    const ids = ['a', 'b', 'c', 'd'];
    await at.open(ids.map((id) => step(id, { shell: [line(id)] })));
    for (const name of ['a', 'd']) writeFileSync(file(`${name}-may-end`), '');
    const began = (name: string) => existsSync(file('ran')) && ran(at).includes(name);
    const holder = spawn(process.execPath, ['-e', HOLDER, at.root, JSON.stringify(KEY), JSON.stringify(ids)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const said = holder.stdout.toArray();
      const gone = once(holder, 'exit');
      await until('b runs', () => began('b'));
      holder.kill('SIGSTOP');
      writeFileSync(file('b-may-end'), '');
      const second = chain(at, ids);
      await until('c runs', () => began('c'));
      holder.kill('SIGCONT');
      await gone;
      expect(String(await said).trim()).toBe('worker.lost');
      writeFileSync(file('c-may-end'), '');
      expect((await second).done).toHaveLength(4);
      expect(readFileSync(file('ran'), 'utf8').trim().split('\n')).toEqual(['a', 'b', 'b', 'c', 'd']);
    } finally {
      holder.kill('SIGKILL');
    }
  });
});
