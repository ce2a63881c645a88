import { CHAT_NAMES } from '../../channels/chats';
import type { ChannelSpec } from '../../plan/plan';
import { mapping, type Reader, refuse, secret, settingFields, text, texts } from './fields';

const TEXT_KEYS = ['webhook', ...CHAT_NAMES, 'mention'] as const;
const KEYS = [...TEXT_KEYS, 'webhook_secret', 'email', 'approvers'] as const;

/** `channels: {"#desk": {webhook, webhook_secret, email, mention, approvers}}` and each chat's address; a name alone is a channel of the inbox. */
export const channels: Reader<Record<string, ChannelSpec>> = (value, name, problems) => {
  const found: Record<string, ChannelSpec> = {};
  for (const [channel, content] of Object.entries(mapping(value, name, problems) ?? {})) {
    const spec: ChannelSpec = {};
    found[channel] = spec;
    const fields = content === null ? undefined : settingFields(content, `${name}.${channel}`, KEYS, problems);
    for (const key of TEXT_KEYS) {
      const read = fields?.take(key, text);
      if (read !== undefined) spec[key] = read;
    }
    const [signing, email] = [fields?.take('webhook_secret', secret), fields?.take('email', texts)];
    if (signing !== undefined) spec.webhookSecret = signing;
    if (email) spec.email = email;
    const approvers = fields?.take('approvers', texts);
    if (approvers) spec.approvers = [...new Set(approvers)];
    if (signing !== undefined && spec.webhook === undefined)
      refuse(
        problems,
        `${name}.${channel}.webhook_secret`,
        `"${name}.${channel}" has a "webhook_secret" and no "webhook": there is nothing to sign`,
      );
  }
  return found;
};
