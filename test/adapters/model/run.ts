import type { AgentAdapter } from '../../../activities/agent-port';
import type { Asked } from './request';

export interface RunOptions {
  signal?: AbortSignal;
  /** Stops, like a host that dies, when this many turns are recorded. */
  dieAt?: number;
}

/** Drives an adapter as the runner does: each turn is recorded, as JSON, before the next is asked for. */
export async function run(adapter: AgentAdapter, { request, transcript }: Asked, { signal, dieAt }: RunOptions = {}): Promise<void> {
  for await (const turn of adapter.run(request, signal ?? new AbortController().signal)) {
    transcript.push(JSON.parse(JSON.stringify(turn)));
    if (transcript.length === dieAt) return;
  }
}
