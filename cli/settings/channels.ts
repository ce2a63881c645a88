import { defined } from '../../plan/defined';
import type { ChannelSpec } from '../../plan/plan';
import { forChats, named, type Reader, record, refuse, secret, text, texts } from './fields';

/**
 * `channels: {"#desk": {webhook, webhook_secret, email, mention, approvers}}` and each chat's address; a name alone is a channel of the
 * inbox.
 */
export const channels: Reader<Record<string, ChannelSpec>> = named((content, path, problems) => {
  const { webhook_secret: webhookSecret, approvers, ...read } = (content === null ? undefined : CHANNEL(content, path, problems)) ?? {};
  if (webhookSecret !== undefined && read.webhook === undefined)
    refuse(problems, `${path}.webhook_secret`, `"${path}" has a "webhook_secret" and no "webhook": there is nothing to sign`);
  return { ...read, ...defined({ webhookSecret, approvers: approvers && [...new Set(approvers)] }) };
});

const CHANNEL = record({ ...forChats(text), webhook: text, mention: text, webhook_secret: secret, email: texts, approvers: texts });
