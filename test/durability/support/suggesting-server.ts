import type { Scratch } from './scratch';

/** Starts a server of its own that suggests to continue as new after so many events, instead of thousands; gives its address. It ends with the scratch folder. */
export async function startSuggestingServer(scratch: Scratch, events: number): Promise<string> {
  return await scratch.startServer({ dynamic: [`limit.historyCount.suggestContinueAsNew=${events}`] });
}
