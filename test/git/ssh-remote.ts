import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { scratchFolder } from './scene';

export interface SshRemote {
  /** The URL without the path. */
  url: string;
  sshCommand: string;
  close(): Promise<void>;
}

const SSHD = '/usr/sbin/sshd';
/** If sshd runs as root, it needs a user and a folder that its package makes. */
export const hasSshd = existsSync(SSHD) && existsSync('/run/sshd');

/** Starts OpenSSH's server with a key and a configuration of its own, for the current user. */
export async function serveSsh(): Promise<SshRemote> {
  const folder = scratchFolder();
  const port = await freePort();
  for (const name of ['host', 'key']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
  writeFileSync(join(folder, 'authorized'), execFileSync('cat', [join(folder, 'key.pub')]), { mode: 0o600 });
  const [, hostKey] = execFileSync('cat', [join(folder, 'host.pub')], { encoding: 'utf8' }).split(' ');
  writeFileSync(join(folder, 'known'), `[127.0.0.1]:${port} ssh-ed25519 ${hostKey}\n`);
  writeFileSync(
    join(folder, 'config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${join(folder, 'host')}`,
      `AuthorizedKeysFile ${join(folder, 'authorized')}`,
      'StrictModes no',
      'UsePAM no',
      'PermitRootLogin yes',
      'PasswordAuthentication no',
      'PidFile none',
      '',
    ].join('\n'),
  );
  const server = spawn(SSHD, ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore' });
  await reachable(port, server);
  const options = `-i ${join(folder, 'key')} -o IdentitiesOnly=yes -o UserKnownHostsFile=${join(folder, 'known')} -o BatchMode=yes`;
  return {
    url: `ssh://${execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()}@127.0.0.1:${port}`,
    sshCommand: `ssh -F none ${options}`,
    close: () =>
      new Promise((resolve) => {
        server.once('exit', () => resolve());
        server.kill();
      }),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function reachable(port: number, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => socket.end(() => resolve(true)));
      socket.once('error', () => resolve(false));
    });
    if (open) return;
  }
  throw new Error(`sshd ended with ${server.exitCode}`);
}
