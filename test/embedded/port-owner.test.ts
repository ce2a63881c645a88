import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { groupListensAt } from '../../cli/embedded/port-owner';

/** Linux tells the owner; elsewhere there is no answer. */
const told = (answer: boolean): boolean | undefined => (process.platform === 'linux' ? answer : undefined);

test('a port is its listener’s, and no other process’s; of one that nobody is seen at nothing is reported', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(groupListensAt(process.pid, port)).toBe(told(true));
  expect(groupListensAt(1, port)).not.toBe(true);
  server.close();
  await once(server, 'close');
  expect(groupListensAt(process.pid, port)).toBeUndefined();
});

test('a program that a script has started counts as the script', async () => {
  const listen = `require('node:net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port); })`;
  const script = spawn('sh', ['-c', '"$0" -e "$1"; true', process.execPath, listen], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { pid = 0 } = script;
  try {
    const [line] = await once(createInterface(script.stdout), 'line');
    expect(groupListensAt(pid, Number(line))).toBe(told(true));
  } finally {
    process.kill(-pid, 'SIGKILL');
    await once(script, 'close');
  }
});
