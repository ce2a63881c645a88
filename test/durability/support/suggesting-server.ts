import { SEARCH_ATTRIBUTES } from '../../../plan/run/contract';
import { quietPort } from '../../support/quiet-port';
import type { Program } from './program';
import type { Scratch } from './scratch';
import { until } from './until';

/** Starts a server of its own that suggests to continue as new after so many events, instead of thousands; gives its address. It ends with the scratch folder. */
export async function startSuggestingServer(scratch: Scratch, events: number): Promise<string> {
  for (;;) {
    const port = await quietPort();
    const address = `127.0.0.1:${port}`;
    if (await answers(scratch, launch(scratch, port, events), address)) return address;
  }
}

function launch(scratch: Scratch, port: number, events: number): Program {
  return scratch.start(scratch.binary, [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--headless', '--log-level', 'error'],
    ...['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${events}`],
    ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000'],
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ]);
}

/** False where it ended: another program was quicker to take its port, or one of those that it chooses for itself. */
async function answers(scratch: Scratch, server: Program, address: string): Promise<boolean> {
  const health = ['operator', 'cluster', 'health', '--address', address];
  await until('the server answers', async () => server.ended || (await scratch.temporal(...health)).code === 0);
  return !server.ended;
}
