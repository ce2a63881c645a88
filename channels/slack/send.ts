import { HOOK_TIMEOUT_MS, hookAddress, postToHook, requireAccepted } from '../../activities/adapters/notify/post-to-hook';
import type { ChannelAdapter, ChannelMessage } from '../../activities/channel-port';
import type { Secrets } from '../../activities/ports';
import { type Directory, NOBODY } from '../../plan/people/people';
import { slackMessage } from './message';

/**
 * Posts a message to an incoming webhook of Slack. Slack knows no idempotency key: a crash between the delivery and its record
 * shows a message twice.
 */
export class SlackChannel implements ChannelAdapter {
  readonly name = 'slack';

  constructor(
    private readonly secrets: Secrets,
    private readonly people: Directory = NOBODY,
    private readonly timeoutMs = HOOK_TIMEOUT_MS,
  ) {}

  serves(message: ChannelMessage): boolean {
    return message.spec?.slack !== undefined;
  }

  async deliver(message: ChannelMessage, signal: AbortSignal): Promise<void> {
    const { channel, spec } = message;
    const hook = `the Slack webhook of ${channel}`;
    const address = await hookAddress(this.secrets, spec?.slack, hook, channel);
    const body = JSON.stringify(slackMessage(message, this.people));
    requireAccepted({ hook, channel }, await postToHook({ hook, channel, address, body, timeoutMs: this.timeoutMs }, signal));
  }
}
