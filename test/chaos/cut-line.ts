import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** How a line fails: `silent` passes nothing on, as a firewall that drops packets; `reset` ends connections, and refuses new ones. */
export const CUTS = ['silent', 'reset'] as const;
export type Cut = (typeof CUTS)[number];

/** A TCP line from a host to a server, which can be cut and mended. What came while it was silent is passed on then. */
export class CutLine {
  private readonly ends = new Set<Socket>();
  private cutBy: Cut | undefined;

  private constructor(
    private readonly server: Server,
    private readonly targetPort: number,
  ) {
    server.on('connection', (near: Socket) => this.join(near));
  }

  static async to(targetPort: number): Promise<CutLine> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CutLine(server, targetPort);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  cut(how: Cut): void {
    this.cutBy = how;
    for (const end of this.ends) {
      if (how === 'reset') end.resetAndDestroy();
      else end.pause();
    }
  }

  mend(): void {
    this.cutBy = undefined;
    for (const end of this.ends) end.resume();
  }

  async close(): Promise<void> {
    for (const end of this.ends) end.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(near: Socket): void {
    if (this.cutBy === 'reset') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(this.targetPort, '127.0.0.1');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.ends.add(end);
      end.setNoDelay(true);
      end.on('data', (bytes) => {
        if (!other.write(bytes)) {
          end.pause();
          other.once('drain', () => {
            if (this.cutBy === undefined) end.resume();
          });
        }
      });
      end.on('end', () => other.end());
      // The other side learns of it by its own end.
      end.on('error', () => undefined);
      end.on('close', () => {
        this.ends.delete(end);
        other.destroy();
      });
      if (this.cutBy === 'silent') end.pause();
    }
  }
}
