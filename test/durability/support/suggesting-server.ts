import type { Scratch } from './scratch';

/**
 * Starts a server that suggests to continue as new after this many events, instead of thousands; returns its address. It ends with the
 * scratch folder.
 */
export async function startSuggestingServer(scratch: Scratch, events: number): Promise<string> {
  return await scratch.startServer({ dynamic: [`limit.historyCount.suggestContinueAsNew=${events}`] });
}
