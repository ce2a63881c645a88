import type { ServerLimits } from './limits';
import type { McpMessage, McpSdk, Transport } from './sdk';
import { type ProcessRequest, type ServerProcess, startServerProcess } from './server-process';

const NEWLINE = 0x0a;

/**
 * Speaks with a server on its stdin and stdout, one message a line. The SDK's own transport kills the one process that it started; this one
 * ends the whole group.
 *
 * Invariants: 1. no output of the server makes it throw: lines that are not messages go to `onerror`, and too many of them, or one line
 * over the limit, end the server; 2. `onclose` is called once, and `closedBy` has the reason by then.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: McpMessage) => void;
  closedBy: string | undefined;
  private process: ServerProcess | undefined;
  private garbage = 0;

  constructor(
    private readonly sdk: Pick<McpSdk, 'ReadBuffer' | 'serializeMessage'>,
    private readonly request: ProcessRequest,
    private readonly limits: Pick<ServerLimits, 'messageBytes' | 'garbageLines'>,
  ) {}

  async start(): Promise<void> {
    const started = startServerProcess(this.request);
    this.process = started;
    const buffer = new this.sdk.ReadBuffer({ maxBufferSize: this.limits.messageBytes });
    // The buffer copies all it has with each piece, so it gets whole lines.
    let held: Buffer[] = [];
    let heldBytes = 0;
    started.stdout.on('data', (chunk: Buffer) => {
      if (this.closedBy !== undefined) return;
      held.push(chunk);
      heldBytes += chunk.byteLength;
      if (!chunk.includes(NEWLINE) && heldBytes <= this.limits.messageBytes) return;
      try {
        buffer.append(Buffer.concat(held));
        held = [];
        heldBytes = 0;
      } catch {
        this.giveUp(`it put out a line of more than ${this.limits.messageBytes} bytes`);
        return;
      }
      while (this.readOne(buffer));
    });
    void started.ended.then((how) => this.closed(how));
  }

  /** Returns whether there may be more to read. */
  private readOne(buffer: InstanceType<McpSdk['ReadBuffer']>): boolean {
    try {
      const message = buffer.readMessage();
      if (message === null) return false;
      this.onmessage?.(message);
    } catch {
      this.garbage += 1;
      // The error quotes a few characters of the line, which may be half a secret.
      this.onerror?.(new Error('a line of its output is not a JSON-RPC message'));
      if (this.garbage > this.limits.garbageLines)
        this.giveUp(`it put out more than ${this.limits.garbageLines} lines that are not messages`);
    }
    return this.closedBy === undefined;
  }

  /** Rejects with the server's end, if it does not read: such a server is useless, so it is ended. */
  send(message: McpMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const server = this.process;
      if (!server || this.closedBy !== undefined) return reject(new Error(this.closedBy ?? 'it is not running'));
      server.stdin.write(this.sdk.serializeMessage(message), (error) => {
        if (!error) return resolve();
        void server.end();
        void server.ended.then((how) => reject(new Error(how)));
      });
    });
  }

  async close(): Promise<void> {
    await this.process?.end();
    this.closed('it was closed');
  }

  private giveUp(why: string): void {
    this.closed(why);
    void this.process?.end();
  }

  private closed(why: string): void {
    if (this.closedBy !== undefined) return;
    this.closedBy = why;
    this.onclose?.();
  }
}
