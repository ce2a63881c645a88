import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { commands } from '../../activities/commands/commands';
import type { CommandStep } from '../../plan/steps/step';
import { KEY, workshop } from './workshop';

const DIST = join(__dirname, '../../dist');

/** The part of a worker's process that this activity needs: it runs the chain, and is killed. */
const HOLDER = `
const at = (path) => require(${JSON.stringify(DIST)} + '/activities/' + path);
const [, root, key, ids] = process.argv;
const { ArtifactFiles } = at('../records/directory/artifact-files.js');
const toolbox = {
  artifacts: new ArtifactFiles(root),
  control: new (at('../records/directory/control-files.js').ControlFiles)(root),
  ledger: new (at('../records/directory/ledger-files.js').LedgerFiles)(root),
  environments: new (at('../records/directory/environment-files.js').EnvironmentFiles)(root),
  secrets: new (at('adapters/secrets.js').LocalSecrets)(),
  processes: new (at('adapters/processes/process-runner.js').GroupProcessRunner)(),
  log: console.error,
};
const call = { key: JSON.parse(key), id: 's0#1~1/chain', attempt: 1, signal: new AbortController().signal, heartbeat() {} };
const wanted = (from) => ({ run: call.key.run, steps: JSON.parse(ids).slice(from).map((id) => ({ address: id + '#1~1', input: {} })) });
(async () => {
  for (let done = 0; done < 100; ) done += (await at('commands/commands.js').commands(toolbox, call, wanted(done))).done.length;
})();
`;

const IDS = Array.from({ length: 100 }, (_, n) => `s${n}`);
const KILLED_IN = 56;

describe('a chain whose worker is killed by SIGKILL in command 57', () => {
  test('goes on with command 57, repeats none before it, and leaves nothing of it running', async () => {
    const at = workshop({ processes: new GroupProcessRunner() });
    const [ran, fifo, first] = ['ran', 'fifo', 'first'].map((name) => join(at.root, name));
    spawnSync('mkfifo', [fifo!]);
    // The first time it reports that it has begun, and does not end by itself; its own `sleep` holds the fifo open.
    const hangs = `echo s${KILLED_IN} >> ${ran}; mkdir ${first} 2>/dev/null || exit 0; { echo begun; sleep 300; } > ${fifo}`;
    const steps = IDS.map(
      (id, n): CommandStep => ({ id, kind: 'command', command: { shell: [n === KILLED_IN ? hangs : `echo ${id} >> ${ran}; echo ${id}`] } }),
    );
    await at.open(steps);
    const holder = spawn(process.execPath, ['-e', HOLDER, at.root, JSON.stringify(KEY), JSON.stringify(IDS)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    // Opening the fifo for reading waits for a writer. This is one, in case the holder never opens it.
    holder.once('exit', () => void open(fifo!, 'r+').then((handle) => handle.close()));
    try {
      const file = await open(fifo!, 'r');
      const lines = file.readLines()[Symbol.asyncIterator]();
      await expect(lines.next()).resolves.toMatchObject({ value: 'begun' });
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      await expect(lines.next()).resolves.toMatchObject({ done: true });
    } finally {
      holder.kill('SIGKILL');
    }
    const outputs: string[] = [];
    const begunAgain: number[][] = [];
    while (outputs.length < IDS.length) {
      const rest = IDS.slice(outputs.length).map((id) => ({ address: `${id}#1~1`, input: {} }));
      const { done, failure } = await commands(at.toolbox, at.call(`s0#1~1/chain`, { attempt: 2 }), { run: KEY.run, steps: rest });
      expect(failure).toBeUndefined();
      for (const { output, begun, startedAtMs } of done) {
        if (begun) begunAgain[outputs.length] = [...begun, startedAtMs];
        outputs.push((await at.artifacts.get(output.artifact!)).toString().trim());
      }
    }
    expect(outputs).toEqual(IDS.map((id, n) => (n === KILLED_IN ? '' : id)));
    // The worker that takes over reports the command that was begun before. The others had not begun.
    expect(Object.keys(begunAgain)).toEqual([String(KILLED_IN)]);
    const [first_, again, started] = begunAgain[KILLED_IN]!;
    expect([begunAgain[KILLED_IN]!.length, first_! < again!, started! >= again! - 1000]).toEqual([3, true, true]);
    const before = IDS.slice(0, KILLED_IN + 1);
    expect(readFileSync(ran!, 'utf8').trim().split('\n')).toEqual([...before, ...IDS.slice(KILLED_IN)]);
  });
});
