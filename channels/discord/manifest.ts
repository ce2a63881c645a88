import type { ChatManifest } from '../manifest';

/** Discord takes 10 MiB, the message included. */
export const DISCORD: ChatManifest = { title: 'Discord', fileMiB: 8, proof: { key: 'discord_public_key', hexDigits: 64 } };
