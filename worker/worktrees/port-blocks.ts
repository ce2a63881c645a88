import { createServer } from 'node:net';
import { errorCode } from '../../plan/error-code';
import { unavailable } from './worktree-host';
import type { PortRange } from './worktree-settings';

/**
 * The first of a block of ports that no other worktree of this host has and nobody listens on. The caller makes sure that nobody else calls
 * it until the block is in a record.
 */
export async function freeBlock({ from, to, block }: PortRange, taken: readonly number[]): Promise<number> {
  // The size of a block may have been another when those were taken: any overlap counts.
  const isTaken = (base: number) => taken.some((other) => base < other + block && other < base + block);
  for (let base = from; base + block - 1 <= to; base += block) {
    if (!isTaken(base) && (await isFree(base, block))) return base;
  }
  throw unavailable(
    `no ${block} ports from ${from} to ${to} are free for a worktree`,
    'remove worktrees with `thermidor worktree prune`, or set worktrees.ports in thermidor.yaml to a wider range',
  );
}

async function isFree(base: number, block: number): Promise<boolean> {
  for (let port = base; port < base + block; port++) {
    for (const host of HOSTS) if (!(await canListen(port, host))) return false;
  }
  return true;
}

/** Not every system finds a listener on one of its addresses when all of them are asked for. */
const HOSTS = ['0.0.0.0', '127.0.0.1', '::'];

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      const code = errorCode(error) ?? '';
      if (code === 'EADDRINUSE' || code === 'EACCES') resolve(false);
      // Without that family of addresses nobody listens there.
      else if (['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)) resolve(true);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true, ipv6Only: host === '::' }, () => server.close(() => resolve(true)));
  });
}
