import { setTimeout as pause } from 'node:timers/promises';
import type { Fleet } from './fleet';

const LOOK_MS = 1000;

interface OpenGate {
  run: string;
  pipeline: string;
  gate?: string;
  step: string;
}

/** People who answer every question that is in their inbox, again and again, for an answer may get lost with what was killed. */
export async function answerAll(fleet: Fleet, over: AbortSignal): Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const answer = async ({ run, pipeline, step }: OpenGate): Promise<void> => {
    const end = step.slice(step.lastIndexOf('/') + 1);
    const response = fleet.sorts[pipeline]?.answers?.[end] ?? 'approve';
    await fleet.scratch.ask('respond', run, step, '--response', response, '--by', 'cfo', '--comment', 'I have read it.');
  };
  while (!over.aborted) {
    const inbox = await fleet.scratch.ask('inbox', '--json');
    const { gates }: { gates: OpenGate[] } = inbox.code === 0 ? JSON.parse(inbox.out) : { gates: [] };
    for (const gate of gates) {
      const key = `${gate.run} ${gate.step}`;
      if (underWay.has(key)) continue;
      const done = answer(gate).finally(() => underWay.delete(key));
      underWay.set(key, done);
    }
    await pause(LOOK_MS, undefined, { signal: over }).catch(() => undefined);
  }
  await Promise.all(underWay.values());
}
