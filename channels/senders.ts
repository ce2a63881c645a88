import type { ChannelAdapter } from '../activities/channel-port';
import type { Secrets } from '../activities/ports';
import type { Directory } from '../plan/people/people';
import type { MailSpec } from '../plan/run/services';
import { ConsoleChannel } from './console/send';
import { DiscordChannel } from './discord/send';
import { MailChannel } from './mail/send';
import { SlackChannel } from './slack/send';
import { WebhookChannel } from './webhook/send';

/** What senders are made with. */
export interface SenderSettings {
  secrets: Secrets;
  directory: Directory;
  mail: MailSpec | undefined;
  /** Takes messages for the worker's log. */
  line: (text: string, fields: Record<string, string>) => void;
}

/** Every way out to people. A message goes by each that serves its channel. */
export function createSenders({ secrets, directory, mail, line }: SenderSettings): ChannelAdapter[] {
  return [
    new ConsoleChannel(line),
    new WebhookChannel(secrets),
    new DiscordChannel(secrets, directory),
    new SlackChannel(secrets, directory),
    new MailChannel(secrets, mail, directory),
  ];
}
