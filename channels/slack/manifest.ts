import type { ChatManifest } from '../manifest';

/** Its incoming webhooks take no files. */
export const SLACK: ChatManifest = { title: 'Slack', proof: { key: 'slack_signing_secret' } };
