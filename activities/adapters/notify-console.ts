import type { ChannelAdapter, ChannelMessage } from '../ports';

/** Serves every channel with a line in the worker's log, so that a message is always somewhere. */
export class ConsoleChannel implements ChannelAdapter {
  readonly name = 'console';

  constructor(private readonly line: (text: string, fields: Record<string, string>) => void) {}

  serves(): boolean {
    return true;
  }

  async deliver({ channel, run, text }: ChannelMessage): Promise<void> {
    this.line(`${channel}: ${text}`, { channel, run });
  }
}
