import { z } from 'zod';
import { HOOK_TIMEOUT_MS, type HookAnswer, hookAddress, postToHook, requireAccepted } from '../../activities/adapters/notify/post-to-hook';
import type { AttachedReport, ChannelAdapter, ChannelMessage } from '../../activities/channel-port';
import type { Secrets } from '../../activities/ports';
import { type Directory, NOBODY } from '../../plan/people/people';
import { jsonIn } from '../../plan/text/json-text';
import { type DiscordMessage, discordMessage, isAttached } from './message';

/**
 * Posts a message to an incoming webhook of Discord, and waits until Discord has stored it.
 *
 * Buttons need hooks that an application owns; with any other hook Discord drops or refuses them, and then the message is sent without.
 * Discord has no idempotency key: a crash between the delivery and its record shows a message twice.
 */
export class DiscordChannel implements ChannelAdapter {
  readonly name = 'discord';

  constructor(
    private readonly secrets: Secrets,
    private readonly people: Directory = NOBODY,
    private readonly timeoutMs = HOOK_TIMEOUT_MS,
  ) {}

  serves(message: ChannelMessage): boolean {
    return message.spec?.discord !== undefined;
  }

  async deliver(message: ChannelMessage, signal: AbortSignal): Promise<void> {
    const { channel, spec } = message;
    const hook = `the Discord webhook of ${channel}`;
    const address = executeAddress(await hookAddress(this.secrets, spec?.discord, hook, channel));
    const file = message.report && isAttached(message.report) ? message.report : undefined;
    const post = (content: DiscordMessage) => {
      const text = JSON.stringify(content);
      return postToHook({ hook, channel, address, body: file ? formOf(text, file) : text, timeoutMs: this.timeoutMs }, signal);
    };
    const { components, ...plain } = discordMessage(message, this.people);
    const first = await post(components ? { ...plain, components } : plain);
    const answer = first.status === 400 && components ? await post(plain) : first;
    requireAccepted({ hook, channel }, answer, waitOf(answer));
  }
}

/** A message that a file goes with is a part of a form. */
function formOf(message: string, { name, mediaType, text }: AttachedReport): FormData {
  const form = new FormData();
  form.set('payload_json', message);
  form.set('files[0]', new Blob([text], { type: mediaType }), name);
  return form;
}

/** Without a version in the address Discord takes an old one, which counts `retry_after` in other units. */
function executeAddress(address: URL): URL {
  const url = new URL(address);
  url.pathname = url.pathname.replace(/^\/api\/webhooks\//, '/api/v10/webhooks/');
  url.searchParams.set('wait', 'true');
  url.searchParams.set('with_components', 'true');
  return url;
}

const LIMITED = z.object({ retry_after: z.number().nonnegative() });

/** `retry_after` of a 429, in seconds with a fraction; the header may say less. A proxy in front of Discord answers in HTML. */
function waitOf({ status, text }: HookAnswer): number | undefined {
  const { data } = LIMITED.safeParse(status === 429 && jsonIn(text));
  return data && data.retry_after * 1000;
}
