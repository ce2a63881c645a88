import { connect, createServer, type Server, type Socket } from 'node:net';

/** What becomes of a statement, or of a transaction, which counts as one. */
export type Fate = 'fine' | 'answer-lost' | 'answer-late' | 'not-sent';

const LATE_MS = 20;

/** Every third answer is lost after the statement was executed, others are late, or the connection breaks before the statement is sent. */
export function everyThirdLost(statement: number): Fate {
  if (statement % 3 === 0) return 'answer-lost';
  if (statement % 7 === 0) return 'not-sent';
  return statement % 5 === 0 ? 'answer-late' : 'fine';
}

/** A way to a PostgreSQL server on which answers are lost, with their connections. */
export class LossyNetwork {
  /** How many met each fate. */
  readonly met: Record<Fate, number> = { fine: 0, 'answer-lost': 0, 'answer-late': 0, 'not-sent': 0 };
  private readonly sockets = new Set<Socket>();
  private statements = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
    private readonly fateOf: (statement: number) => Fate,
  ) {}

  static async start(to: number, fateOf: (statement: number) => Fate = everyThirdLost): Promise<LossyNetwork> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const network = new LossyNetwork(server, typeof address === 'object' && address ? address.port : 0, fateOf);
    server.on('connection', (client) => network.join(client, connect(to, '127.0.0.1')));
    return network;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(client: Socket, server: Socket): void {
    const both = [client, server];
    const cut = (): void => {
      for (const socket of both) socket.destroy();
    };
    for (const socket of both) {
      this.sockets.add(socket.setNoDelay());
      socket.on('error', cut).on('close', () => {
        this.sockets.delete(socket);
        cut();
      });
    }
    /** Undefined between statements; logging in is none. */
    let fate: Fate | undefined = 'fine';
    client.on('data', (bytes) => {
      fate ??= this.nextFate();
      if (fate === 'not-sent') cut();
      else server.write(bytes);
    });
    const answer = new Answer();
    server.on('data', (bytes) => {
      for (const { said, ends } of answer.take(bytes)) {
        if (ends && fate === 'answer-lost') return cut();
        if (ends && fate === 'answer-late') setTimeout(() => client.write(said), LATE_MS);
        else client.write(said);
        if (ends) fate = undefined;
      }
    });
  }

  private nextFate(): Fate {
    this.statements += 1;
    const fate = this.fateOf(this.statements);
    this.met[fate] += 1;
    return fate;
  }
}

/** Messages of the server: a letter, a length of four bytes that includes itself, and what is said. */
class Answer {
  private rest = Buffer.alloc(0);
  private held: Buffer[] = [];

  /** @returns what can be passed on by now. `ends`: the server waits for the next statement, outside of a transaction. */
  *take(bytes: Buffer | string): Generator<{ said: Buffer; ends: boolean }> {
    this.rest = Buffer.concat([this.rest, Buffer.from(bytes)]);
    while (this.rest.length >= HEAD && this.rest.length > this.rest.readUInt32BE(1)) {
      const length = this.rest.readUInt32BE(1) + 1;
      const message = this.rest.subarray(0, length);
      this.rest = this.rest.subarray(length);
      this.held.push(message);
      const letter = String.fromCharCode(message[0] ?? 0);
      // Logging in is a conversation, and notifications come at any time.
      if (letter !== READY && letter !== LOGIN && letter !== NOTIFICATION) continue;
      const ends = letter === READY && message[HEAD] === IDLE;
      yield { said: Buffer.concat(this.held.splice(0)), ends };
    }
  }
}

const HEAD = 5;
const READY = 'Z';
const LOGIN = 'R';
const NOTIFICATION = 'A';
const IDLE = 'I'.charCodeAt(0);
