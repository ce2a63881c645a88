import type { ChannelAdapter, ChannelMessage } from '../../activities/channel-port';

/**
 * Serves every channel with an entry in the worker's log, so that a message is always somewhere. Anybody with the link to a gate can answer
 * it there, so no log gets it; the commands stay. Further lines are indented, so that none looks like an entry.
 */
export class ConsoleChannel implements ChannelAdapter {
  readonly name = 'console';

  constructor(private readonly line: (text: string, fields: Record<string, string>) => void) {}

  serves(): boolean {
    return true;
  }

  async deliver({ channel, run, text, gate, report }: ChannelMessage): Promise<void> {
    const { key } = gate ?? {};
    const shown = key ? text.split('\n').filter((line) => !line.includes(key)) : [text];
    if (report) shown.push(`With ${report.name}: ${report.command}`);
    this.line(`${channel}: ${shown.join('\n').replaceAll('\n', '\n  ')}`, { channel, run });
  }
}
